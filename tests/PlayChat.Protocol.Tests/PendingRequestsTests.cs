using PlayChat.Core;

namespace PlayChat.Protocol.Tests;

public sealed class PendingRequestsTests
{
    [Fact]
    public void Ids_begin_at_1_and_begin_again_after_65535()
    {
        var requests = new PendingRequests();

        for (int expected = 1; expected <= ushort.MaxValue; expected++)
        {
            ushort id = requests.Add(new PendingRequest<SEchoRes>());
            Assert.Equal(expected, id);
            requests.Remove(id);
        }

        Assert.Equal(1, requests.Add(new PendingRequest<SEchoRes>()));
    }

    [Fact]
    public void An_id_that_is_in_flight_is_skipped()
    {
        var requests = new PendingRequests();
        var patient = new PendingRequest<SEchoRes>();
        Assert.Equal(1, requests.Add(patient));
        Assert.Equal(2, requests.Add(new PendingRequest<SEchoRes>()));
        for (int i = 3; i <= ushort.MaxValue; i++)
        {
            requests.Remove(requests.Add(new PendingRequest<SEchoRes>()));
        }

        ushort next = requests.Add(new PendingRequest<SEchoRes>());

        Assert.Equal(3, next);
        Assert.True(requests.TryGet(1, out PendingRequest? first));
        Assert.Same(patient, first);
    }

    [Fact]
    public async Task Closing_fails_what_waits_and_what_comes_later_and_keeps_nothing()
    {
        var requests = new PendingRequests();
        var waiting = new PendingRequest<SEchoRes>();
        requests.Add(waiting);

        requests.Close(() => new ChatConnectionClosedException(CloseReason.TakenOver, "Bye."));

        var exception = await Assert.ThrowsAsync<ChatConnectionClosedException>(() => waiting.Answer);
        Assert.Equal(CloseReason.TakenOver, exception.Reason);
        Assert.Throws<ChatConnectionClosedException>(() => requests.Add(new PendingRequest<SEchoRes>()));
        Assert.Equal(0, requests.Count);
    }

    [Fact]
    public void A_message_of_another_kind_does_not_answer()
    {
        var request = new PendingRequest<SEchoRes>();

        Assert.False(request.TryComplete(new SLoginRes()));
        Assert.False(request.Answer.IsCompleted);
        Assert.True(request.TryComplete(new SEchoRes()));
    }
}
