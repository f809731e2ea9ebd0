using PlayChat.Chat.Rooms;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Modes;

/// <summary>
/// length(2) + sender(2) + payload, passed on as it came to every connection of the sender's room; a classroom is a single one.
/// </summary>
internal sealed class BroadcastMode(int rooms)
{
    private readonly BroadcastRoom[] _rooms = new BroadcastRoom[rooms];
    private long _accepted;

    public static void Configure(PlayChatServer server, ServerSettings settings)
    {
        var mode = new BroadcastMode(settings.Mode == ServerMode.Classroom ? 1 : settings.Broadcast.Rooms);
        LoadLimits.Lift(server.Options);
        server.Options.Rooms.MaxMembers = 1_000_000;
        server.UseFraming(FrameFormat.SenderPrefixed(Math.Min(settings.MaxFrameBytes, ushort.MaxValue)))
            .OnStarting(mode.CreateRooms)
            .OnConnected(mode.Enter)
            .OnFrameAsync(static (connection, frame, _) => connection.Get<BroadcastRoom>()!.RelayAsync(Session.Of(connection), frame));
    }

    private void CreateRooms(PlayChatServer server)
    {
        for (int i = 0; i < _rooms.Length; i++)
        {
            _rooms[i] = server.Rooms.Create($"broadcast {i}", static context => new BroadcastRoom(context));
        }
    }

    private void Enter(Session session)
    {
        // The k-th accepted connection joins room k mod N.
        BroadcastRoom room = _rooms[(int)(Interlocked.Increment(ref _accepted) % _rooms.Length)];
        session.Connection.Set(room);
        // Not awaited: when the room's queue is full, the join waits in it, and the frames of the session wait behind the join.
        _ = room.JoinAsync(session).AsTask();
    }
}
