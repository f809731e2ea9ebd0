using System.Text;
using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Generators.Tests.Game;
using PlayChat.Testing;
using PlayChat.TestUtilities;

namespace PlayChat.Generators.Tests;

/// <summary>The handlers in Game, mapped by what the generator wrote in this assembly, behind a server.</summary>
public sealed class MappedHandlersTests : IAsyncLifetime
{
    private readonly ServiceProvider _services = new ServiceCollection().AddSingleton<World>().AddScoped<Counter>().BuildServiceProvider();
    private readonly Channel<string> _answers = Channel.CreateUnbounded<string>();
    private PlayChatServer _server = null!;
    private PlayChatConnector _connector = null!;
    private Connection _client = null!;

    private World World => _services.GetRequiredService<World>();

    public async ValueTask InitializeAsync()
    {
        var transport = new InMemoryTransport();
        _server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
            .UseTransport(transport)
            .UseServices(_services)
            .UsePackets(TextPacket.All)
            .OnPackets(static router =>
            {
                router.RequireLogin = true;
                router.OnLoginRequired = static context => context.Reply("log in first", TextPacket.Answer);
                router.OnRateLimited = static context => context.Reply("too often", TextPacket.Answer);
                router.MapPacketHandlers();
            });
        await _server.StartAsync();
        World.Sessions = _server.Sessions;
        World.Arena = _server.Rooms.Create("arena", static context => new Arena(context));
        _connector = new PlayChatConnector(
            FrameFormat.Packet(),
            (_, frame) => _answers.Writer.TryWrite(Encoding.UTF8.GetString(frame.ToArray())),
            closed: (_, _) => _answers.Writer.TryComplete(),
            transport: transport);
        _client = await _connector.ConnectAsync(_server.EndPoints[0]);
    }

    public async ValueTask DisposeAsync()
    {
        await _connector.DisposeAsync();
        await _server.DisposeAsync();
        await _services.DisposeAsync();
    }

    [Fact]
    public async Task A_handler_needs_a_login_where_it_says_so()
    {
        Assert.Equal("log in first", await AskAsync(PacketId.Greet, "hello"));
        Assert.Equal("waited", await AskAsync(PacketId.Wait, "waited"));
        Assert.Equal("ping", await AskAsync(PacketId.Ping, "ping"));
        Assert.Equal("welcome ann", await AskAsync(PacketId.Login, "ann"));
        Assert.Equal("hello 1", await AskAsync(PacketId.Greet, "hello"));
    }

    [Fact]
    public async Task A_class_is_made_once_and_its_filters_come_before_those_of_the_method()
    {
        await AskAsync(PacketId.Login, "ann");

        Assert.Equal("a 1", await AskAsync(PacketId.Greet, "a"));
        Assert.Equal("b 2", await AskAsync(PacketId.Greet, "b"));

        Assert.Equal("outer inner handler outer inner handler", string.Join(' ', World.Trace));
    }

    [Fact]
    public async Task A_scoped_class_is_made_for_each_message_and_its_services_end_with_it()
    {
        await AskAsync(PacketId.Login, "ann");
        int before = Counter.Disposed;

        string first = await AskAsync(PacketId.Count, "a");
        string second = await AskAsync(PacketId.Count, "a");

        Assert.NotEqual(first, second, StringComparer.Ordinal);
        await Eventually.TrueAsync(() => Counter.Disposed == before + 2);
    }

    [Fact]
    public async Task A_limit_is_kept()
    {
        await AskAsync(PacketId.Login, "ann");

        Assert.Equal("a", await AskAsync(PacketId.Limited, "a"));
        Assert.Equal("too often", await AskAsync(PacketId.Limited, "b"));
    }

    [Fact]
    public async Task A_room_handles_what_its_members_send()
    {
        await AskAsync(PacketId.Login, "ann");
        await AskAsync(PacketId.Join, "");

        Assert.Equal("moved left of ann", await AskAsync(PacketId.Move, "left"));
    }

    [Fact]
    public async Task What_a_room_returns_is_the_answer_behind_what_its_turn_broadcast_before()
    {
        await AskAsync(PacketId.Login, "ann");
        await AskAsync(PacketId.Join, "");

        Assert.Equal("ann looks up", await AskAsync(PacketId.Look, "up", requestId: 5));
        Assert.Equal("request 5", await ReadAsync());
        Assert.Equal("ann looks down", await AskAsync(PacketId.Look, "down")); // no request, so no answer
        Assert.Equal("ann looks up", await AskAsync(PacketId.Look, "up"));
    }

    private Task<string> AskAsync(PacketId id, string text, ushort requestId = 0)
    {
        _client.SendPacket(text, requestId, type: new TextPacket(id));
        return ReadAsync();
    }

    private async Task<string> ReadAsync()
    {
        return await _answers.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);
    }
}
