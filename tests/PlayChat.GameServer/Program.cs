using System.Buffers;
using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.WebSockets;
using PlayChat.GameServer;
using PlayChat.Persistence;
using Timestamp = Google.Protobuf.WellKnownTypes.Timestamp;

// A game server as a user writes one, for the tests of @playchat/core and of the pages in docs/how-to/browser-client.md.
// Usage: PlayChat.GameServer [port=N] [page=FILE] [script=FILE] [heartbeat=MS] [idle=MS] [replay=BYTES] [window=MS] [all=1]
//   [rooms=FOLDER] [origins=LIST]
// Listens for WebSocket; with all=1 also on tcp, tls and wss, and prints these addresses first.
// With rooms it keeps the lobby and the tokens there, so that both survive its end.
// Prints its address, and a line for each connection that has ended: its reason. The end of its input stops it.
var arguments = args.Select(static arg => arg.Split('=', 2))
    .ToDictionary(static pair => pair[0], static pair => pair[1], StringComparer.Ordinal);
int Number(string name, int otherwise) =>
    arguments.TryGetValue(name, out string? text) ? int.Parse(text, CultureInfo.InvariantCulture) : otherwise;

await using var server = new PlayChatServer(options =>
{
    string address = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{Number("port", 0)}");
    WebSocketOptions webSocket = options.ListenWebSocket(address).WebSocket;
    webSocket.Content = ReadPage();
    webSocket.AllowedOrigins = arguments.GetValueOrDefault("origins", "");
    if (arguments.ContainsKey("all"))
    {
        options.ListenTcp("127.0.0.1:0");
        X509Certificate2 certificate = CreateCertificate();
        options.ListenTcp("127.0.0.1:0").Tls = new TlsOptions { Certificate = certificate };
        options.ListenWebSocket("127.0.0.1:0").Tls = new TlsOptions { Certificate = certificate };
    }

    options.Sessions.ResumeWindow = TimeSpan.FromMilliseconds(Number("window", 30_000));
    options.Sessions.ReplayBytes = Number("replay", 64 * 1024);
    options.Sessions.HeartbeatInterval = TimeSpan.FromMilliseconds(Number("heartbeat", 30_000));
    options.Sessions.IdleTimeout = TimeSpan.FromMilliseconds(Number("idle", 120_000));
});
server
    .UsePackets(GamePackets.CreateAll())
    .AddRoom<Lobby>(new RoomSettings { Name = Lobby.Title, IsPersistent = arguments.ContainsKey("rooms") })
    .OnDisconnected(static (_, reason) => Console.WriteLine(reason))
    .OnPackets(router =>
    {
        router.MapPacketHandlers();
        router.MapPacket<Join>(async (context, join, stop) =>
        {
            var result = await context.Rooms.Get<Lobby>(Lobby.Title).JoinAsync(context.Session, join, cancellationToken: stop);
            if (arguments.ContainsKey("rooms"))
            {
                long id = BinaryPrimitives.ReadInt64LittleEndian(SHA256.HashData(Encoding.UTF8.GetBytes(join.Name)));
                context.Sessions.Bind(context.Session, new SessionUser(id, join.Name));
            }

            context.Reply(result.IsJoined
                ? new Joined(Refusal: null, (await context.Sessions.IssueResumeTokenAsync(context.Session)).ToArray())
                : new Joined(result.Reason));
        });
        router.MapPacket<Sit>(async (context, sit, stop) =>
        {
            Table table = context.Rooms.Find<Table>(sit.Table)
                ?? context.Rooms.Create<Table>(new RoomSettings { Name = sit.Table, RemoveWhenEmpty = true });
            var result = await table.JoinAsync(context.Session, sit, cancellationToken: stop);
            context.Reply(result.IsJoined
                ? new Joined(Refusal: null, (await context.Sessions.IssueResumeTokenAsync(context.Session)).ToArray())
                : new Joined(result.Reason));
        });
        router.MapPacket<ComeBack>(async (context, comeBack, _) =>
        {
            Resumption? resumption = await context.Sessions.ResumeAsync(
                context.Connection,
                comeBack.Token,
                moved =>
                {
                    moved.Session.FindRoom<Table>()?.State.Confirm(context.Connection, comeBack.Revision ?? 0);
                    context.Reply(new Joined(Refusal: null, moved.Token.ToArray()));
                    return default;
                },
                comeBack.FramesReceived);
            if (resumption is null)
            {
                context.Reply(new Joined("The seat is gone."));
            }
        });
        router.MapPacket<Roll>(static (context, roll) =>
        {
            if (roll.Sides > 0)
            {
                context.Reply(new Rolled(roll.Sides));
            }
            else
            {
                context.Reply(new Problem("NoSides"));
            }
        });
        router.MapPacket<Ignore>(static (_, _) => { });
        router.MapPacket<CloseMe>(static (context, close) => context.Connection.Close(Enum.Parse<CloseReason>(close.Reason)));
        // Not in the handler: while it waits, nothing is received from this client, so no answer either.
        router.MapPacket<AskMe>(static (context, ask) => _ = Task.Run(async () =>
            context.Reply(await context.Connection.RequestAsync<Answer>(new Question(ask.Text), TimeSpan.FromSeconds(30)))));
        router.MapPacket<ReadOnlySequence<byte>>(static (context, picture) => context.Reply(picture));
        router.MapPacket<Timestamp>(static (context, moment) => context.Reply(moment));
    });
if (arguments.TryGetValue("rooms", out string? folder))
{
    server.UseResumeStore(new FileResumeStore(Path.Combine(folder, "sessions")));
    server.UseRoomStore(new FileRoomStore(folder), static options => options.SaveInterval = TimeSpan.FromMilliseconds(50));
}

await server.StartAsync(CancellationToken.None);
if (arguments.ContainsKey("all"))
{
    string[] schemes = ["tcp", "tls", "wss"];
    for (int i = 0; i < schemes.Length; i++)
    {
        Console.WriteLine($"{schemes[i]}://127.0.0.1:{((IPEndPoint)server.EndPoints[1 + i]).Port}/{(schemes[i] == "wss" ? "ws" : "")}");
    }
}

Console.WriteLine($"http://127.0.0.1:{((IPEndPoint)server.EndPoints[0]).Port}/");
await Console.In.ReadToEndAsync();
await server.StopAsync();

static X509Certificate2 CreateCertificate()
{
    using var key = RSA.Create(2048);
    using X509Certificate2 certificate = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
        .CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(30));
    return new X509Certificate2(certificate.Export(X509ContentType.Pfx)); // as a server keeps it: with its key
}

WebContent ReadPage()
{
    var content = new WebContent();
    if (arguments.TryGetValue("page", out string? page))
    {
        content.Add("/", "text/html; charset=utf-8", Encoding.UTF8.GetBytes(File.ReadAllText(page)));
    }

    if (arguments.TryGetValue("script", out string? script))
    {
        content.Add("/game.js", "text/javascript; charset=utf-8", Encoding.UTF8.GetBytes(File.ReadAllText(script)));
    }

    return content;
}
