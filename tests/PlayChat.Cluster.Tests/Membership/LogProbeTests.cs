using PlayChat.Cluster.Log;
using PlayChat.Cluster.Membership;
using PlayChat.Cluster.Tests.Log;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Membership;

public sealed class LogProbeTests : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(3);

    private readonly ManualTimeProvider _time = new();
    private readonly StubBackplane _log;
    private readonly LogProbe _probe;

    public LogProbeTests()
    {
        _time.Advance(TimeSpan.FromSeconds(1));
        _log = new StubBackplane(new RecordOrigin(1, 1), new BackplaneOptions(), _time);
        _probe = new LogProbe(_log, _time);
    }

    public ValueTask DisposeAsync() => _log.DisposeAsync();

    [Fact]
    public void A_log_that_owes_an_answer_for_longer_than_the_patience_is_silent_until_it_answers()
    {
        _log.Connect();
        Assert.False(_probe.IsSilent(s_patience));
        _time.Advance(TimeSpan.FromSeconds(2.9));
        Assert.False(_probe.IsSilent(s_patience));

        _time.Advance(TimeSpan.FromSeconds(0.2));

        Assert.True(_probe.IsSilent(s_patience));
        _probe.NoteAnswer(shard: 0);
        Assert.False(_probe.IsSilent(s_patience));
    }

    [Fact]
    public void A_log_that_has_refused_the_question_is_asked_again_and_may_still_answer()
    {
        _probe.IsSilent(s_patience);
        Assert.Equal(0, _log.Wakes);

        _log.Connect();
        _time.Advance(TimeSpan.FromSeconds(1));
        _probe.IsSilent(s_patience);

        Assert.Equal(1, _log.Wakes);
    }
}
