// An echo and a room by all of the framework that a trimmed or native program might lose: the host, settings from a configuration, a handler made
// from services, protobuf. Ends with code 0 when both ends saw what they should.
using System.Net;
using System.Runtime.CompilerServices;
using Google.Protobuf;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.NativeProgram;
using PlayChat.Protocol;

HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>(StringComparer.Ordinal)
{
    ["PlayChat:Endpoints:0:Address"] = "127.0.0.1:0",
    ["PlayChat:Endpoints:0:Tls:HandshakeTimeout"] = "00:00:07",
    ["PlayChat:Connections:MaxConnections"] = "7",
    ["PlayChat:Connections:SlowConsumer"] = "Wait",
    ["PlayChat:Rooms:FlushInterval"] = "00:00:00.010",
});
builder.Services.AddSingleton<EchoCount>();
Lobby? lobby = null;
builder.Services.AddPlayChat(
    server => server
        .OnStarting(s => lobby = s.Rooms.Create("lobby", static context => new Lobby(context)))
        .UsePackets(ChatPackets.All)
        .OnPackets(router =>
        {
            router.MapPacket<CEchoReq, EchoHandler>();
            router.MapPacket<CRoomChatReq>((context, message) => lobby!.Post(static (room, session, said) => room.Say(session, said), context.Session, message));
        }),
    builder.Configuration.GetSection("PlayChat"));
using IHost host = builder.Build();
await host.StartAsync();
var server = host.Services.GetRequiredService<PlayChatServer>();
Require(server.Options.Connections.MaxConnections == 7, "an int from the configuration");
Require(server.Options.Connections.SlowConsumer == SlowConsumerPolicy.Wait, "an enum from the configuration");
Require(server.Options.Rooms.FlushInterval == TimeSpan.FromMilliseconds(10), "a time from the configuration");
Require(server.Options.Endpoints[0].Tls.HandshakeTimeout == TimeSpan.FromSeconds(7), "an endpoint's setting from the configuration");

var echoed = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
var heard = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
await using (var connector = new PlayChatConnector(FrameFormat.Packet(), (_, frame) =>
{
    if (frame.PacketId == ChatPackets.SEchoRes.Id && ChatPackets.SEchoRes.TryDecode(frame, out SEchoRes? answer))
    {
        echoed.TrySetResult(answer.Payload.ToStringUtf8());
    }
    else if (frame.PacketId == ChatPackets.SRoomChatNtf.Id && ChatPackets.SRoomChatNtf.TryDecode(frame, out SRoomChatNtf? chat))
    {
        heard.TrySetResult(chat.Text);
    }
}))
{
    Connection connection = await connector.ConnectAsync((IPEndPoint)server.EndPoints[0]);
    connection.Send(ChatPackets.CEchoReq, new CEchoReq { Payload = ByteString.CopyFromUtf8("native") });
    connection.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = 1, Text = "hello" });
    var patience = TimeSpan.FromSeconds(30);
    Require(await echoed.Task.WaitAsync(patience) == "native", "the echo");
    Require(await heard.Task.WaitAsync(patience) == "hello", "the room's message");
    Require(host.Services.GetRequiredService<EchoCount>().Value == 1, "the handler's service");
}

await host.StopAsync();
Console.WriteLine(RuntimeFeature.IsDynamicCodeSupported ? "ok" : "ok, native");

static void Require(bool holds, string what)
{
    if (!holds)
    {
        throw new InvalidOperationException($"It is not what it should be: {what}.");
    }
}
