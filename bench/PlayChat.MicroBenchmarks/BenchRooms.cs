using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.MicroBenchmarks;

/// <summary>Rooms whose members' links take everything at once.</summary>
internal static class BenchRooms
{
    internal static BenchRoom Create(int members)
    {
        FrameFormat format = FrameFormat.LengthPrefixed();
        var bench = new BenchConnection(format, static (Connection _, in Frame _) => default);
        var sessions = new SessionRegistry(bench.Metrics);
        var rooms = new RoomRegistry(new RoomServices
        {
            Format = format,
            Options = new RoomOptions { QueueItems = 16_384 },
            MaxTurnBytes = 128 * 1024,
            Pool = bench.Pool,
            Metrics = bench.Metrics,
            Time = TimeProvider.System,
            Logger = NullLogger.Instance,
        });
        BenchRoom room = rooms.Create("bench", static context => new BenchRoom(context));
        for (int i = 0; i < members; i++)
        {
            Session joining = sessions.Open(bench.Open().Connection);
            room.Post(static (BenchRoom room, Session session) => room.Join(session), joining);
        }

        return room;
    }
}
