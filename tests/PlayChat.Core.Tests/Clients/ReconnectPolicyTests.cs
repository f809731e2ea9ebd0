using System.Net;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Tests.Clients;

public sealed class ReconnectPolicyTests
{
    [Fact]
    public void The_delay_doubles_up_to_its_maximum_and_at_most_half_of_it_is_left_out()
    {
        var options = new ReconnectOptions { FirstDelay = TimeSpan.FromMilliseconds(100), MaxDelay = TimeSpan.FromMilliseconds(500) };

        foreach ((int attempt, int full) in new[] { (1, 100), (2, 200), (3, 400), (4, 500), (5, 500), (5000, 500) })
        {
            for (int i = 0; i < 100; i++)
            {
                Assert.InRange(ReconnectPolicy.DelayBefore(options, attempt).TotalMilliseconds, full / 2d, full);
            }
        }
    }

    [Theory]
    [InlineData(CloseReason.PeerReset, true)]
    [InlineData(CloseReason.IdleTimeout, true)]
    [InlineData(CloseReason.LocalClose, false)]
    [InlineData(CloseReason.TakenOver, false)]
    [InlineData(CloseReason.ServerShutdown, false)]
    public void A_connection_that_a_side_ended_on_purpose_is_not_made_again(CloseReason reason, bool isBreak)
    {
        Assert.Equal(isBreak, ReconnectPolicy.IsBreak(reason));
        Assert.Equal(isBreak, ReconnectPolicy.MayPass(new ConnectionClosedException(connectionId: 1, reason)));
    }

    [Fact]
    public void An_attempt_that_was_not_refused_for_good_is_repeated()
    {
        Assert.True(ReconnectPolicy.MayPass(new ConnectionClosedException(connectionId: 1, CloseReason.ServerFull)));
        Assert.True(ReconnectPolicy.MayPass(new TimeoutException()));
        Assert.True(ReconnectPolicy.MayPass(new ConnectFailedException(new IPEndPoint(0, 1), "Refused.", new IOException())));
        Assert.False(ReconnectPolicy.MayPass(new InvalidOperationException()));
    }
}
