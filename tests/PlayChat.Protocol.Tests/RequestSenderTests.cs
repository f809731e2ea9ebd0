using Google.Protobuf;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

/// <summary>Without a connection: requests are held, and tests answer them themselves.</summary>
public sealed class RequestSenderTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly PendingRequests _pending = new();

    [Fact]
    public async Task An_answer_completes_its_request_and_leaves_nothing_behind()
    {
        RequestSender sender = Make();

        Task<SEchoRes> request = sender.RequestAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq(), default);
        var answer = new SEchoRes();
        Assert.True(_pending.TryGet(1, out PendingRequest? waiting));
        waiting.TryComplete(answer);

        Assert.Same(answer, await request.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, _pending.Count);
    }

    [Fact]
    public async Task A_request_beyond_the_limit_waits_for_its_turn()
    {
        RequestSender sender = Make(maxRequests: 1);

        Task<SEchoRes> first = sender.RequestAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq(), default);
        Task<SEchoRes> second = sender.RequestAsync<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq(), default);
        int pendingAtFirst = _pending.Count;
        _pending.TryGet(1, out PendingRequest? waiting);
        waiting!.TryComplete(new SEchoRes());
        await first.WaitAsync(TestTimeouts.Hang);
        await Eventually.TrueAsync(() => _pending.TryGet(2, out waiting));
        waiting.TryComplete(new SEchoRes());

        Assert.Equal(1, pendingAtFirst);
        await second.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_request_that_waits_too_long_is_a_timeout_and_one_that_is_cancelled_is_not()
    {
        RequestSender sender = Make();
        using var cancellation = new CancellationTokenSource();

        Task<SEchoRes> late = sender.RequestAsync<CEchoReq, SEchoRes>(
            ChatPackets.CEchoReq, new CEchoReq(), TimeSpan.FromSeconds(5), CancellationToken.None);
        Task<SEchoRes> cancelled = sender.RequestAsync<CEchoReq, SEchoRes>(
            ChatPackets.CEchoReq, new CEchoReq(), TimeSpan.FromSeconds(60), cancellation.Token);
        _time.Advance(TimeSpan.FromSeconds(5));
        await cancellation.CancelAsync();

        await Assert.ThrowsAsync<TimeoutException>(() => late.WaitAsync(TestTimeouts.Hang));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, _pending.Count);
    }

    [Fact]
    public void What_the_server_takes_is_known_from_the_server()
    {
        RequestSender sender = Make();
        var request = new CEchoReq { Payload = ByteString.CopyFrom(new byte[200]) };

        sender.RequireFits(ChatPackets.CEchoReq, request);
        sender.UseServer(new ServerInfo { MaxFrameBytes = 100 });
        Assert.Throws<ArgumentException>(() => sender.RequireFits(ChatPackets.CEchoReq, request));
        sender.UseServer(new ServerInfo { MaxFrameBytes = 300 });
        sender.UseServer(new ServerInfo { MaxFrameBytes = 1 }); // impossible: ignored
        sender.RequireFits(ChatPackets.CEchoReq, request);
    }

    private RequestSender Make(int maxRequests = 10) =>
        new(_pending, new ChatClientOptions { MaxRequestsInFlight = maxRequests, TimeProvider = _time });
}
