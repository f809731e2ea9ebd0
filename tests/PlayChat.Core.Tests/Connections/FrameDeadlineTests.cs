using PlayChat.Core.Connections;

namespace PlayChat.Core.Tests.Connections;

public sealed class FrameDeadlineTests
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(5);

    private FrameDeadline _deadline = new();

    [Fact]
    public void A_peer_without_a_partial_frame_is_never_late()
    {
        Note(bytes: 10, frames: 0, second: 0);
        Note(bytes: 0, frames: 1, second: 1);

        Assert.False(IsOver(second: 1000));
    }

    [Fact]
    public void A_frame_is_late_when_it_has_not_grown_for_the_timeout()
    {
        Note(bytes: 100_000, frames: 0, second: 0);
        Note(bytes: 100_001, frames: 0, second: 4);

        Assert.Equal((false, true), (IsOver(second: 9), IsOver(second: 10)));
    }

    [Fact]
    public void A_frame_that_grows_is_late_when_the_timeout_and_a_second_for_each_kilobyte_are_over()
    {
        for (int second = 0; second <= 8; second++)
        {
            Note(bytes: 2048 + second, frames: 0, second);
        }

        Assert.Equal((false, true), (IsOver(second: 7), IsOver(second: 8)));
    }

    [Fact]
    public void The_time_in_which_the_server_does_not_read_does_not_count()
    {
        Note(bytes: 10, frames: 0, second: 0);

        long since = _deadline.Stop();
        bool isOverMeanwhile = IsOver(second: 100);
        _deadline.Continue(since, paused: Ticks(100));

        Assert.Equal((false, false, true), (isOverMeanwhile, IsOver(second: 105), IsOver(second: 106)));
    }

    private static long Ticks(int seconds) => seconds * TimeProvider.System.TimestampFrequency;

    private void Note(int bytes, int frames, int second) => _deadline.Note(bytes, frames, Ticks(second));

    private bool IsOver(int second) => _deadline.IsOver(Ticks(second), s_timeout, TimeProvider.System);
}
