using System.Text.Json.Serialization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PlayChat.Chat;
using PlayChat.Core;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.Storage;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Extensions;

/// <summary>The chat in a host of one's own, with packets and sinks of one's own.</summary>
public sealed partial class AddChatTests
{
    [Fact]
    public async Task A_host_of_ones_own_has_the_whole_chat_with_its_packets_and_sinks()
    {
        using var folder = new TemporaryDirectory();
        var transport = new InMemoryTransport();
        using IHost host = Build(folder, transport, static chat => chat.AddSink<Heard>().AddPackets(
            new PacketSet().AddJson(OwnJson.Default.RollDice).AddJson(OwnJson.Default.Rolled),
            static router => router.MapPacket<RollDice>(static (context, roll) =>
                context.Reply(new Rolled($"{context.Session.User!.Name} rolled {roll.Sides}")))));
        await host.StartAsync().WaitAsync(TestTimeouts.Hang);
        var server = host.Services.GetRequiredService<PlayChatServer>();
        await using (TestClient ann = await TestClient.ConnectAsync((System.Net.IPEndPoint)server.EndPoints[0], transport))
        {
            await ann.LoginAsync("Ann", "her password");
            long room = (await ann.CreateAsync("den")).RoomId;
            await ann.SayAsync(room, "hello");
            Assert.Equal("hello", (await ann.NextAsync<SRoomChatNtf>()).Text);
        }

        await host.StopAsync().WaitAsync(TestTimeouts.Hang);
        Assert.Equal(["hello", "Ann has left the room."], host.Services.GetServices<IChatLogSink>().OfType<Heard>().Single().Texts);
        Assert.True(File.Exists(Path.Combine(folder.Path, "chat.db")));
    }

    [Fact]
    public async Task A_packet_of_ones_own_needs_a_login_as_the_chats_do()
    {
        await using TestServer server = await TestServer.StartExtendedAsync(static chat => chat.AddPackets(
            new PacketSet().AddJson(OwnJson.Default.RollDice).AddJson(OwnJson.Default.Rolled),
            static router => router.MapPacket<RollDice>(static (context, roll) =>
                context.Reply(new Rolled($"{context.Session.User!.Name} rolled {roll.Sides}")))));
        await using var connector = new PlayChatConnector(
            FrameFormat.Packet(ChatLimits.MaxServerFrameBytes),
            new PacketSet().Add(ChatPackets.All).AddJson(OwnJson.Default.RollDice).AddJson(OwnJson.Default.Rolled),
            static _ => { },
            transport: server.Transport);
        Connection connection = await connector.ConnectAsync(server.EndPoint).WaitAsync(TestTimeouts.Hang);

        await Assert.ThrowsAsync<RequestFailedException>(
            async () => await connection.RequestAsync<Rolled>(new RollDice(6), TestTimeouts.Hang));
        await connection.RequestAsync<SLoginRes>(new CLoginReq { Name = "Ann" }, TestTimeouts.Hang);

        Assert.Equal("Ann rolled 6", (await connection.RequestAsync<Rolled>(new RollDice(6), TestTimeouts.Hang)).Text);
    }

    [Fact]
    public async Task A_room_of_ones_own_stands_beside_those_of_the_chat()
    {
        await using TestServer server = await TestServer.StartExtendedAsync(static chat => chat
            .ConfigureServer(static server => server.AddRoom("table", static context => new Table(context)))
            .AddPackets(
                new PacketSet().AddJson(OwnJson.Default.RollDice).AddJson(OwnJson.Default.Rolled),
                static router => router.MapPacket<RollDice>(static async (context, _, stop) => context.Reply(new Rolled(
                    (await context.Rooms.Get<Table>("table").JoinAsync(context.Session, cancellationToken: stop)).Reason ?? "seated")))));
        var seated = new TaskCompletionSource<Rolled>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var connector = new PlayChatConnector(
            FrameFormat.Packet(ChatLimits.MaxServerFrameBytes),
            new PacketSet().Add(ChatPackets.All).AddJson(OwnJson.Default.RollDice).AddJson(OwnJson.Default.Rolled),
            router => router.MapPacket<Rolled>((_, rolled) => seated.TrySetResult(rolled)),
            transport: server.Transport);
        Connection connection = await connector.ConnectAsync(server.EndPoint).WaitAsync(TestTimeouts.Hang);
        await connection.RequestAsync<SLoginRes>(new CLoginReq { Name = "Ann" }, TestTimeouts.Hang);
        SCreateRoomRes room = await connection.RequestAsync<SCreateRoomRes>(new CCreateRoomReq { Name = "den" }, TestTimeouts.Hang);

        Assert.Equal("seated", (await connection.RequestAsync<Rolled>(new RollDice(6), TestTimeouts.Hang)).Text);
        Assert.Equal("Ann sits at the table.", (await seated.Task.WaitAsync(TestTimeouts.Hang)).Text);
        SListRoomsRes listed = await connection.RequestAsync<SListRoomsRes>(new CListRoomsReq(), TestTimeouts.Hang);
        Assert.Equal([room.RoomId], listed.Rooms.Select(static known => known.RoomId));
    }

    [Fact]
    public async Task An_id_of_the_chat_is_refused_for_a_packet_of_ones_own()
    {
        ArgumentException problem = await Assert.ThrowsAsync<ArgumentException>(() => TestServer.StartExtendedAsync(static chat =>
            chat.AddPackets(new PacketSet().AddJson(9_999, OwnJson.Default.RollDice), static _ => { })));

        Assert.Contains(
            "Packet 9999 (RollDice) has an id of the chat: ids of your own begin at 10000.", problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_wrong_with_the_settings_is_named()
    {
        var services = new ServiceCollection();
        IConfiguration settings = new ConfigurationBuilder().AddInMemoryCollection(
        [
            new("Chat:Rooms:MaxRoms", "5"),
            new("Chat:Accounts:MinPasswordLength", "many"),
        ]).Build();

        ArgumentException problem = Assert.Throws<ArgumentException>(() => services.AddChat(settings.GetSection("Chat")));

        Assert.Contains("Rooms:MaxRoms, which the section Chat sets", problem.Message, StringComparison.Ordinal);
        Assert.Contains("did you mean Rooms:MaxRooms?", problem.Message, StringComparison.Ordinal);
        Assert.Contains("Accounts:MinPasswordLength is 'many'", problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_limits_of_a_chat_hold_whatever_mode_the_settings_name()
    {
        var services = new ServiceCollection();
        IConfiguration settings = new ConfigurationBuilder().AddInMemoryCollection(
        [
            new("Chat:Mode", "Echo"),
            new("Chat:PlayChat:Rooms:MaxMembers", "5001"),
        ]).Build();

        ArgumentException problem = Assert.Throws<ArgumentException>(() => services.AddChat(settings.GetSection("Chat")));

        Assert.Contains(
            "PlayChat:Rooms:MaxMembers is '5001'; in chat mode allowed is 1 to 5000", problem.Message, StringComparison.Ordinal);
    }

    private static IHost Build(TemporaryDirectory folder, InMemoryTransport transport, Action<ChatBuilder> configure)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(
        [
            new("Chat:Mode", "Echo"), // a setting of the program: no effect
            new("Chat:PlayChat:Endpoints:0:Address", "127.0.0.1:0"),
            new("Chat:Storage:Path", Path.Combine(folder.Path, "chat.db")),
            new("Chat:ChatLog:Directory", ""),
            new("Chat:ChatLog:SpillFile", ""),
            new("Chat:Accounts:PasswordIterations", "1000"),
            new("Chat:Rooms:Lasting", "false"), // a leave is a line of the log only where it ends the membership
        ]);
        builder.Services.AddChat(builder.Configuration.GetSection("Chat"), chat => configure(chat.ConfigureServer(
            server => server.UseTransport(transport))));
        return builder.Build();
    }

    internal sealed class Heard : IChatLogSink
    {
        public List<string> Texts { get; } = [];

        public string Name => "test";

        public Task<int> WriteBatchAsync(IReadOnlyList<ChatRecord> batch, CancellationToken cancellationToken)
        {
            Texts.AddRange(batch.Select(static record => record.Text));
            return Task.FromResult(batch.Count);
        }
    }

    private sealed class Table(RoomContext context) : Room<RoomMember>(context)
    {
        protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

        protected override void OnJoined(RoomMember member) =>
            SendPacket(member.Session, new Rolled($"{member.Session.User!.Name} sits at the table."));
    }

    [PacketId(10_000)]
    internal sealed record RollDice(int Sides);

    [PacketId(10_001)]
    internal sealed record Rolled(string Text);

    [JsonSerializable(typeof(RollDice))]
    [JsonSerializable(typeof(Rolled))]
    internal sealed partial class OwnJson : JsonSerializerContext;
}
