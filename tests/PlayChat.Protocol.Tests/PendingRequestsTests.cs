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
            ushort id = requests.Add(NewRequest(), out _);
            Assert.Equal(expected, id);
            requests.Remove(id);
        }

        Assert.Equal(1, requests.Add(NewRequest(), out _));
    }

    [Fact]
    public void An_id_that_is_in_flight_is_skipped()
    {
        var requests = new PendingRequests();
        var patient = NewRequest();
        Assert.Equal(1, requests.Add(patient, out _));
        Assert.Equal(2, requests.Add(NewRequest(), out _));
        for (int i = 3; i <= ushort.MaxValue; i++)
        {
            requests.Remove(requests.Add(NewRequest(), out _));
        }

        ushort next = requests.Add(NewRequest(), out _);

        Assert.Equal(3, next);
        Assert.True(requests.TryGet(1, out PendingRequest? first));
        Assert.Same(patient, first);
    }

    [Fact]
    public async Task Closing_fails_what_waits_and_what_comes_later_and_keeps_nothing()
    {
        var requests = new PendingRequests();
        var waiting = NewRequest();
        requests.Add(waiting, out _);

        requests.Close(() => new ChatConnectionClosedException(CloseReason.TakenOver, "Bye."));

        var exception = await Assert.ThrowsAsync<ChatConnectionClosedException>(() => waiting.Answer);
        Assert.Equal(CloseReason.TakenOver, exception.Reason);
        Assert.Throws<ChatConnectionClosedException>(() => requests.Add(NewRequest(), out _));
        Assert.Equal(0, requests.Count);
    }

    [Fact]
    public void A_message_of_another_kind_does_not_answer()
    {
        var request = NewRequest();

        Assert.False(request.TryComplete(new SLoginRes()));
        Assert.False(request.Answer.IsCompleted);
        Assert.True(request.TryComplete(new SEchoRes()));
    }

    private static PendingRequest<CEchoReq, SEchoRes> NewRequest() => new(ChatPackets.CEchoReq, new CEchoReq());
}
