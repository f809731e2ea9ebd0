using BenchmarkDotNet.Attributes;

namespace PlayChat.MicroBenchmarks;

/// <summary>Jobs that do nothing through a room's queue; figures are those of all.</summary>
[MemoryDiagnoser]
public class RoomTurnBenchmarks
{
    private readonly BenchRoom _room = BenchRooms.Create(members: 0);
    private readonly ChannelActor _actor = new();

    /// <summary>One is the way there and back; more show what a batch saves.</summary>
    [Params(1, 64, 1024)]
    public int Jobs { get; set; }

    /// <summary>Posts the jobs and waits for the last one.</summary>
    [Benchmark]
    public void Room() => _room.RunEmpty(Jobs);

    /// <summary>The usual actor: a channel of delegates and a task that reads it.</summary>
    [Benchmark(Baseline = true)]
    public void Channel_and_a_task() => _actor.Run(Jobs);
}
