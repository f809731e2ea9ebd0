using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.Protocol.Tests;

public sealed class ReconnectPolicyTests
{
    [Fact]
    public void The_delay_doubles_up_to_its_maximum_and_at_most_half_of_it_is_left_out()
    {
        var policy = new ReconnectPolicy(new ChatClientOptions
        {
            ReconnectDelay = TimeSpan.FromMilliseconds(100),
            MaxReconnectDelay = TimeSpan.FromMilliseconds(500),
        });

        foreach ((int attempt, int full) in new[] { (1, 100), (2, 200), (3, 400), (4, 500), (5, 500), (5000, 500) })
        {
            for (int i = 0; i < 100; i++)
            {
                Assert.InRange(policy.DelayBefore(attempt).TotalMilliseconds, full / 2d, full);
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
        Assert.Equal(isBreak, ReconnectPolicy.MayPass(new ChatConnectionClosedException(reason, serverMessage: null)));
    }

    [Fact]
    public void An_attempt_that_a_full_server_refuses_is_repeated_and_one_that_it_denies_is_not()
    {
        Assert.True(ReconnectPolicy.MayPass(new ChatConnectionClosedException(CloseReason.ServerFull, serverMessage: null)));
        Assert.True(ReconnectPolicy.MayPass(new ChatErrorException(ErrorCode.ServerBusy, "Later.", TimeSpan.Zero)));
        Assert.True(ReconnectPolicy.MayPass(new TimeoutException()));
        Assert.True(ReconnectPolicy.MayPass(new ConnectFailedException(new System.Net.IPEndPoint(0, 1), "Refused.", new IOException())));
        Assert.False(ReconnectPolicy.MayPass(new ChatErrorException(ErrorCode.ResumeRefused, "No.", TimeSpan.Zero)));
        Assert.False(ReconnectPolicy.MayPass(new InvalidOperationException()));
    }
}
