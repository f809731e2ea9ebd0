using BenchmarkDotNet.Attributes;

namespace PlayChat.MicroBenchmarks;

/// <summary>Messages of 64 bytes to every member of a room; figures are those of one message.</summary>
[MemoryDiagnoser]
public class BroadcastBenchmarks
{
    private const int Messages = 64;

    private readonly byte[] _body = new byte[64];
    private BenchRoom _room = null!;
    private LockedRoom _locked = null!;

    /// <summary>How many members the room has.</summary>
    [Params(10, 100, 1000)]
    public int Members { get; set; }

    /// <summary>Makes the room and lets the members in.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _room = BenchRooms.Create(Members);
        _locked = new LockedRoom(Members);
    }

    /// <summary>
    /// Posted from outside, encoded once a turn, handed to each member's connection, which sends it to a link that does nothing.
    /// </summary>
    [Benchmark(OperationsPerInvoke = Messages)]
    public void Room() => _room.Run(_body, Messages);

    /// <summary>The same of the class LatestOnly, and for all but one member each.</summary>
    [Benchmark(OperationsPerInvoke = Messages)]
    public void Positions_except_of_the_mover() => _room.RunPositions(_body, Messages);

    /// <summary>The simplest thing: a lock, and a copy into each member's buffer; it has no queue, no connections and no sends.</summary>
    [Benchmark(Baseline = true, OperationsPerInvoke = Messages)]
    public void Lock_and_copy() => _locked.Run(_body, Messages);
}
