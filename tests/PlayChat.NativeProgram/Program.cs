// All of the framework that a trimmed or native program might lose: the host, settings from a configuration, handlers and a filter made
// from services, generated mapping, a room, requests, protobuf and JSON. Ends with code 0 when both ends saw what they should.
using System.Net;
using System.Runtime.CompilerServices;
using Google.Protobuf;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.NativeProgram;
using PlayChat.Protocol;
using PlayChat.Transport.Linux;

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
builder.Services.AddPlayChat(
    server => server
        .AddRoom<Lobby>("lobby")
        .UseTransport(LinuxTransport.IsSupported ? LinuxTransport.Shared : SocketTransport.Instance)
        .UsePackets(Packets.All)
        .OnConnected(session => _ = server.Rooms.Get<Lobby>("lobby").JoinAsync(session))
        .OnPackets(static router => router.MapPacketHandlers()),
    builder.Configuration.GetSection("PlayChat"));
using IHost host = builder.Build();
await host.StartAsync();
var server = host.Services.GetRequiredService<PlayChatServer>();
Require(server.Options.Connections.MaxConnections == 7, "an int from the configuration");
Require(server.Options.Connections.SlowConsumer == SlowConsumerPolicy.Wait, "an enum from the configuration");
Require(server.Options.Rooms.FlushInterval == TimeSpan.FromMilliseconds(10), "a time from the configuration");
Require(server.Options.Endpoints[0].Tls.HandshakeTimeout == TimeSpan.FromSeconds(7), "an endpoint's setting from the configuration");

var moved = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
await using (var connector = new PlayChatConnector(FrameFormat.Packet(), Packets.All, router =>
    router.MapPacket<Moved>((_, message) => moved.TrySetResult(message.X))))
{
    Connection connection = await connector.ConnectAsync((IPEndPoint)server.EndPoints[0]);
    var patience = TimeSpan.FromSeconds(30);
    SEchoRes echoed = await connection.RequestAsync<SEchoRes>(new CEchoReq { Payload = ByteString.CopyFromUtf8("native") }, patience);
    Require(echoed.Payload.ToStringUtf8() == "native", "a protobuf message");
    Require((await connection.RequestAsync<SLeaveRoomAck>(new CLeaveRoomReq { RoomId = 42 }, patience)).RoomId == 42,
        "a reused protobuf message");
    connection.SendPacket(new Move(7));
    Require(await moved.Task.WaitAsync(patience) == 7, "a JSON message to a room, and its broadcast");
    Require(host.Services.GetRequiredService<EchoCount>().Value == 3, "the service of handler, filter and room");
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
