using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.MicroBenchmarks;

/// <summary>Broadcasts through a room to all its members; the members' links take everything at once.</summary>
[MemoryDiagnoser]
public class RoomBenchmarks
{
    private const int Messages = 64;

    private readonly byte[] _body = new byte[64];
    private BenchRoom _room = null!;

    /// <summary>How many members the room has.</summary>
    [Params(10, 100, 1000)]
    public int Members { get; set; }

    /// <summary>Makes the room and lets the members in.</summary>
    [GlobalSetup]
    public void Setup()
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
        _room = rooms.Create("bench", static context => new BenchRoom(context));
        for (int i = 0; i < Members; i++)
        {
            _room.Post(static (BenchRoom room, Session session, object? _) => room.Join(session), sessions.Open(bench.Open().Connection), null);
        }
    }

    /// <summary>64 messages of 64 bytes to every member; figures are those of one message.</summary>
    [Benchmark(OperationsPerInvoke = Messages)]
    public void Broadcast() => _room.Run(_body, Messages);
}
