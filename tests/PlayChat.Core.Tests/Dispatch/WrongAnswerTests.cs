using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using static PlayChat.Core.Tests.Dispatch.RequestPackets;

namespace PlayChat.Core.Tests.Dispatch;

/// <summary>A peer that answers a request with another message than the one that is awaited.</summary>
public sealed class WrongAnswerTests
{
    [Fact]
    public async Task The_request_fails_and_names_the_answer_that_came()
    {
        await using var link = await Link.StartAsync(static (context, _) => context.Reply(new Note("hello")));

        RequestFailedException e = await Assert.ThrowsAsync<RequestFailedException>(() => link.AskAsync<Told>("?"));

        Assert.Equal(
            "The peer answers with Note (packet 4), and the request awaits Told (packet 2): ask with RequestAsync<Note>, or have the peer "
                + "answer with Told.",
            e.Message);
        Assert.Equal(new Note("hello"), e.Answer);
        Assert.True(link.Client.IsOpen);
        Assert.Equal(0, link.Connector.Metrics.Snapshot().UnknownPackets);
    }

    [Fact]
    public async Task It_fails_as_well_when_the_answer_is_one_that_was_awaited_before()
    {
        await using var link = await Link.StartAsync(static (context, ask) =>
            _ = ask.Word == "note" ? context.Reply(new Note("a note")) : context.Reply(new Told("told")));
        Assert.Equal(new Note("a note"), await link.AskAsync<Note>("note"));
        Assert.Equal(new Told("told"), await link.AskAsync<Told>("told"));

        RequestFailedException e = await Assert.ThrowsAsync<RequestFailedException>(() => link.AskAsync<Told>("note"));

        Assert.StartsWith("The peer answers with Note (packet 4)", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_packet_that_the_set_does_not_contain_may_be_a_request_of_a_newer_peer_and_fails_nothing()
    {
        await using var link = await Link.StartAsync(static (context, _) =>
        {
            context.Connection.Send("x"u8, new FrameHeader(99, context.RequestId));
            context.Reply(new Told("yes"));
        });

        Assert.Equal(new Told("yes"), await link.AskAsync<Told>("?"));
        Assert.Equal(1, link.Connector.Metrics.Snapshot().UnknownPackets);
        Assert.Equal(0, link.Connector.Metrics.Read(Counter.AnswersDropped));
    }

    [Fact]
    public async Task The_timeout_names_a_packet_that_the_set_does_not_contain()
    {
        await using var link = await Link.StartAsync(
            static (context, _) => context.Connection.Send("x"u8, new FrameHeader(99, context.RequestId)));
        Task<Told> asking = link.AskAsync<Told>("?");
        await Eventually.TrueAsync(() => link.Client.FramesReceived == 1);

        link.Time.Advance(TimeSpan.FromSeconds(5));

        TimeoutException e = await Assert.ThrowsAsync<TimeoutException>(() => asking);
        Assert.Equal(
            "Ask was not answered within 5 seconds. Packet 99 (not in the PacketSet) came with the request's id, but the request awaits "
                + "Told.",
            e.Message);
    }

    [Fact]
    public async Task A_request_of_the_peer_with_the_same_id_is_no_answer()
    {
        await using var link = await Link.StartAsync(
            static (context, _) =>
            {
                context.Connection.SendPacket(new Note("asks on its own"), context.RequestId);
                context.Reply(new Told("yes"));
            },
            static router => router.MapPacket<Note>(static (_, _) => { }));

        Assert.Equal(new Told("yes"), await link.AskAsync<Told>("?"));
    }

    [Fact]
    public async Task Where_a_handler_takes_the_packet_the_timeout_names_it()
    {
        await using var link = await Link.StartAsync(
            static (context, _) => context.Reply(new Note("hello")), static router => router.MapPacket<Note>(static (_, _) => { }));
        Task<Told> asking = link.AskAsync<Told>("?");
        await Eventually.TrueAsync(() => link.Client.FramesReceived == 1);

        link.Time.Advance(TimeSpan.FromSeconds(5));

        TimeoutException e = await Assert.ThrowsAsync<TimeoutException>(() => asking.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(
            "Ask was not answered within 5 seconds. Packet 4 (Note) came with the request's id, but the request awaits Told.", e.Message);
    }

    /// <summary>A server that answers <see cref="Ask"/>, and a client with a router.</summary>
    private sealed class Link : IAsyncDisposable
    {
        internal required PlayChatServer Server { get; init; }

        internal required PlayChatConnector Connector { get; init; }

        internal required ManualTimeProvider Time { get; init; }

        internal Connection Client { get; private set; } = null!;

        internal static async Task<Link> StartAsync(Action<PacketContext, Ask> answer, Action<PacketRouter>? client = null)
        {
            var transport = new InMemoryTransport();
            var time = new ManualTimeProvider();
            var link = new Link
            {
                Server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
                    .UseTransport(transport).UseTime(time).UsePackets(Create()).OnPackets(router => router.MapPacket(answer)),
                Connector = new PlayChatConnector(
                    FrameFormat.Packet(), Create(), client ?? (static _ => { }), transport: transport, time: time),
                Time = time,
            };
            await link.Server.StartAsync();
            link.Client = await link.Connector.ConnectAsync(link.Server.EndPoints[0]);
            return link;
        }

        internal Task<TAnswer> AskAsync<TAnswer>(string word) =>
            Client.RequestAsync<TAnswer>(new Ask(word), TimeSpan.FromSeconds(5)).AsTask().WaitAsync(TestTimeouts.Hang);

        public async ValueTask DisposeAsync()
        {
            await Connector.DisposeAsync();
            await Server.DisposeAsync();
        }
    }
}
