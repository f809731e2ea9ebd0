namespace PlayChat.MicroBenchmarks;

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
