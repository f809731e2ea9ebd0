using PlayChat.Chat.Configuration;
using PlayChat.Chat.Replies;

namespace PlayChat.Server.Tests.Replies;

/// <summary>How long the clients of a stopping server are asked to wait.</summary>
public sealed class ReturnPauseTests
{
    [Theory]
    [InlineData(1, 500)]
    [InlineData(100, 5_000)]
    [InlineData(5_000, 10_000)] // the limit
    public void The_pause_grows_with_the_number_of_clients_up_to_the_limit(int clients, int longest)
    {
        int left = clients;
        var pause = new ReturnPause(new SessionSettings { ReturnWithin = TimeSpan.FromSeconds(10) }, () => left--);

        double[] pauses = [.. Enumerable.Range(0, clients).Select(_ => pause.Next().TotalMilliseconds)];

        Assert.All(pauses, time => Assert.InRange(time, 0, longest));
        if (clients > 1)
        {
            Assert.InRange(pauses[^(clients / 2)..].Max(), 0.9 * longest, longest); // also of those that are told last
        }
    }

    [Fact]
    public void A_limit_of_0_asks_for_no_return() =>
        Assert.Equal(TimeSpan.Zero, new ReturnPause(new SessionSettings { ReturnWithin = TimeSpan.Zero }, static () => 5).Next());
}
