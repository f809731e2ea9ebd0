using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.AspNetCore;

namespace PlayChat.Benchmark.Servers;

/// <summary>PlayChat on a route of ASP.NET Core: <c>app.MapPlayChat("/ws")</c>. Listens on the loopback until it is disposed.</summary>
internal static class MappedServer
{
    /// <summary>Starts a server that sends each frame (4-byte length and body) back.</summary>
    public static Task<WebServer> StartEchoAsync(int port) => StartAsync(port, static server => server
        .UseFraming(FrameFormat.LengthPrefixed())
        .OnFrame(static (connection, frame) => connection.Send(in frame)));

    /// <summary>Starts a server that sends each frame (length, sender, payload) to all connections of the sender's room.</summary>
    /// <param name="rooms">Connection k, counted from 1, is in room k mod this number.</param>
    public static Task<WebServer> StartBroadcastAsync(int port, int rooms, TimeSpan flushInterval) => StartAsync(port, server =>
    {
        var all = new MappedRoom[rooms];
        long accepted = 0;
        server.Options.Rooms.FlushInterval = flushInterval;
        server.Options.Rooms.MaxMembers = 1_000_000;
        server.UseFraming(FrameFormat.SenderPrefixed())
            .OnStarting(started =>
            {
                for (int i = 0; i < all.Length; i++)
                {
                    all[i] = started.Rooms.Create($"broadcast {i}", static context => new MappedRoom(context));
                }
            })
            .OnConnected(session =>
            {
                MappedRoom room = all[Interlocked.Increment(ref accepted) % all.Length];
                session.Connection.Set(room);
                _ = room.JoinAsync(session).AsTask(); // what the session sends comes after it
            })
            .OnFrameAsync(static (connection, frame, _) =>
                connection.Get<MappedRoom>()!.RelayAsync(Core.Sessions.Session.Of(connection), frame));
    });

    private static async Task<WebServer> StartAsync(int port, Action<PlayChatServer> configure)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Listen(IPAddress.Loopback, port);
        });
        builder.Services.AddPlayChat(server =>
        {
            // Peers of a load have no heartbeat, and a peer that only listens is silent.
            server.Options.Sessions.LoginTimeout = Timeout.InfiniteTimeSpan;
            server.Options.Sessions.IdleTimeout = Timeout.InfiniteTimeSpan;
            configure(server);
        });
        WebApplication application = builder.Build();
        application.MapPlayChat("/ws");
        await application.StartAsync();
        return new WebServer(application, new BaselineCounters()); // it has KPIs of its own
    }
}

/// <summary>A room whose members hear each frame of any of them, as it came.</summary>
internal sealed class MappedRoom(RoomContext context) : Room<RoomMember>(context)
{
    /// <summary>Passes a frame on to every member, and waits while the room's queue is full.</summary>
    public ValueTask RelayAsync(Session from, Frame frame)
    {
        ValueTask<bool> posting = PostFrameAsync(from, in frame);
        return posting.IsCompletedSuccessfully ? default : new ValueTask(posting.AsTask());
    }

    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);
}
