using Microsoft.Extensions.Hosting;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>The programs of README.md, so that the compiler reads them. <see cref="ReadmeTests"/> holds their text against README.md's.</summary>
internal static class ReadmeSamples
{
    internal static async Task EchoAsync()
    {
        await using var server = new PlayChatServer(options => options.ListenTcp("127.0.0.1:7000"))
            .UseFraming(FrameFormat.LengthPrefixed(maxFrameBytes: 64 * 1024))
            .OnFrame(static (connection, frame) => connection.Send(frame));
        await server.RunAsync();
    }

    internal static async Task RoomAsync(string[] args)
    {
        Lobby? lobby = null;
        var host = Host.CreateApplicationBuilder(args);
        host.Services.AddPlayChat(server => server
            .UseFraming(FrameFormat.Line())
            .OnStarting(s => lobby = s.Rooms.Create("lobby", static context => new Lobby(context)))
            .OnConnected(session => lobby!.Post(static (Lobby room, Session who, object? _) => room.Admit(who), session, null))
            .OnFrame((connection, frame) => lobby!.PostFrame(Session.Of(connection), frame)),
            host.Configuration.GetSection("PlayChat"));
        await host.Build().RunAsync();
    }

    internal sealed class Lobby(RoomContext context) : Room(context)
    {
        public void Admit(Session session) => Enter(session); // a room's frames go to all its members
    }
}
