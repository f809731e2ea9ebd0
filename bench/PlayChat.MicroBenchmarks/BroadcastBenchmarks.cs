namespace PlayChat.MicroBenchmarks;

/// <summary>Messages of 64 bytes to every member of a room; figures are those of one message.</summary>
[MemoryDiagnoser]
public class BroadcastBenchmarks
{
    private const int Messages = 64;

    private readonly byte[] _body = new byte[64];
    private BenchRoom _room = null!;
    private LockedRoom _locked = null!;

    [Params(10, 100, 1000)]
    public int Members { get; set; }

    [GlobalSetup]
    public void Setup()
    {
        _room = BenchRooms.Create(Members);
        _locked = new LockedRoom(Members);
    }

    /// <summary>Posted from outside, encoded once a turn, handed to each member's connection, whose link does nothing with it.</summary>
    [Benchmark(OperationsPerInvoke = Messages)]
    public void Room() => _room.Run(_body, Messages);

    /// <summary>The simplest thing: a lock, and a copy into each member's buffer; it has no queue, no connections and no sends.</summary>
    [Benchmark(Baseline = true, OperationsPerInvoke = Messages)]
    public void Lock_and_copy() => _locked.Run(_body, Messages);
}

/// <summary>A room as it is written first: a lock, and a copy of each message into each member's buffer.</summary>
internal sealed class LockedRoom(int members)
{
    private readonly object _gate = new();
    private readonly byte[][] _buffers = [.. Enumerable.Range(0, members).Select(static _ => new byte[8 * 1024])];
    private int _written;

    internal void Run(byte[] body, int messages)
    {
        for (int i = 0; i < messages; i++)
        {
            Broadcast(body);
        }

        lock (_gate)
        {
            _written = 0;
        }
    }

    private void Broadcast(byte[] body)
    {
        lock (_gate)
        {
            foreach (byte[] buffer in _buffers)
            {
                Span<byte> frame = buffer.AsSpan(_written);
                BinaryPrimitives.WriteInt32BigEndian(frame, body.Length);
                body.CopyTo(frame[sizeof(int)..]);
            }

            _written += sizeof(int) + body.Length;
        }
    }
}

/// <summary>A room that tells when it has done what was posted.</summary>
internal sealed class BenchRoom(RoomContext context) : Room<RoomMember>(context)
{
    private readonly SemaphoreSlim _done = new(0);
    private int _left;

    internal new void Join(Session session) => base.Join(session);

    /// <summary>Posts so many broadcasts, and waits for the last one's job.</summary>
    internal void Run(byte[] body, int messages)
    {
        _left = messages;
        for (int i = 0; i < messages; i++)
        {
            this.Post(static (BenchRoom room, byte[] b) => room.Say(b), body);
        }

        _done.Wait();
    }

    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

    private void Say(byte[] body)
    {
        Broadcast(body);
        if (--_left == 0)
        {
            _done.Release();
        }
    }
}

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
