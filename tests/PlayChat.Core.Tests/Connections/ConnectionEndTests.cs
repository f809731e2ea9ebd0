using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Connections;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionEndTests
{
    private ConnectionEnd _end;

    [Fact]
    public void The_first_reason_stays()
    {
        Assert.Equal(CloseReason.None, _end.Reason);
        _end.SetReason(CloseReason.PeerReset);
        _end.SetReason(CloseReason.LocalClose);

        Assert.Equal(CloseReason.PeerReset, _end.Reason);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Closed_completes_with_the_reason_whether_it_was_asked_for_before_or_after(bool before)
    {
        Task<CloseReason>? closed = before ? _end.Closed : null;
        Assert.NotEqual(true, closed?.IsCompleted);
        _end.SetReason(CloseReason.IdleTimeout);

        _end.SetClosed();

        Assert.Equal(CloseReason.IdleTimeout, await (closed ?? _end.Closed).WaitAsync(TestTimeouts.Hang));
        Assert.Same(closed ?? _end.Closed, _end.Closed);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Aborted_is_cancelled_at_once_whether_it_was_asked_for_before_or_after(bool before)
    {
        CancellationToken token = before ? Aborted() : default;
        Assert.False(token.IsCancellationRequested);

        _end.Abort(NullLogger.Instance, 7);

        Assert.True((before ? token : Aborted()).IsCancellationRequested);
        _end.Abort(NullLogger.Instance, 7); // may be repeated
    }

    private CancellationToken Aborted() => _end.GetAborted(NullLogger.Instance, 7);
}
