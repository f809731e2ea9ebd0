using PlayChat.Testing;

namespace PlayChat.Simulation;

/// <summary>One server and its clients, from the start to the end of both; the seed decides everything.</summary>
internal sealed class World : SimulatedWorld
{
    private readonly List<SimulatedClient> _clients = [];
    private readonly SimulatedServer _server;
    private readonly CountingPool _pool = new();
    private Task? _stop;
    private bool _isStarted;

    internal World(Plan plan, Variant variant, bool keepsLines, TextWriter? output = null)
        : base(plan, variant, keepsLines, output)
    {
        Tickets = new TicketLog(this);
        Network = CreateNetwork();
        _server = new SimulatedServer(this, _pool);
        Variants.Apply(variant, Clock, Network, Ready, Dice.Split());
    }

    internal SimulatedNetwork Network { get; }

    internal TicketLog Tickets { get; }

    internal override int Clients => _clients.Count;

    /// <summary>Whether everything has had the time to settle since the faults stopped.</summary>
    internal bool IsSettled => Phase == 2;

    private protected override TimeSpan PhaseTime => TimeSpan.FromSeconds(150);

    private bool IsStopping => _stop is not null;

    /// <summary>Whether a room refuses the session that wants to join now.</summary>
    internal bool Refuses() => IsChaos && Plan.Refusals > 0 && Dice.Chance(Plan.Refusals);

    /// <summary>A handler of the application takes its time.</summary>
    internal Task WorkAsync() => Plan.HandlerTime == TimeSpan.Zero
        ? Task.CompletedTask
        : Task.Delay(Dice.Between(0, Plan.HandlerTime.TotalSeconds), Clock);

    /// <summary>Lets another thread run an item now and then. Called in code that Core calls.</summary>
    internal void Interrupt() => Ready.Interrupt();

    internal override bool MayRefuse(ReadOnlyMemory<byte> token) => IsStopping || _server.MayRefuse(token);

    private protected override void OnEnded()
    {
        Count("stalls", Network.StallCount);
        Count("buffers rented", _pool.Rents);
        Count("partial operations", Network.PartCount);
        Count("sends cut short by the end of a link", Network.FailedSends);
    }

    private protected override void Begin()
    {
        SetFaults(Network);
        _ = StartAsync();
    }

    private async Task StartAsync()
    {
        try
        {
            await _server.StartAsync();
        }
        catch (Exception e)
        {
            Judge.Require(false, "no fault", e.ToString());
        }

        for (int user = 1; user <= Plan.Clients; user++)
        {
            var client = new SimulatedClient(this, user, Dice.Split());
            _clients.Add(client);
            client.Start(Dice.Between(0, 2));
        }

        _isStarted = true;
        Attack();
        StepClock();
        Moderate();
    }

    private protected override void Step()
    {
        _server.CheckBounds();
        if (_isStarted)
        {
            MoveOn();
        }
    }

    private protected override void BeginPhase()
    {
        switch (Phase)
        {
            case 1 when Plan.StopsEarly:
                Count("stops in the middle");
                _stop = StopAsync();
                Phase = 4;
                break;
            case 1: // the faults stop
                SetFaults(Network);
                _clients.ForEach(static client => client.CalmDown());
                break;
            case 2: // everything has had the time to settle: everybody speaks
                _clients.ForEach(static client => client.SayEverywhere());
                break;
            case 3:
                CheckConvergence();
                _clients.ForEach(static client => client.EndForGood());
                break;
            case 4: // everything has ended that was left alone
                _server.CheckNothingLeft();
                _stop = StopAsync();
                break;
            default:
                Judge.Require(_stop!.IsCompletedSuccessfully, "liveness", $"the server has not stopped: {_stop.Status} {_stop.Exception}");
                _server.CheckEnds();
                Judge.Require(_pool.InUse == 0, "buffers come back", $"{_pool.InUse} of {_pool.Rents} buffers are still rented");
                Judge.Require(Network.Open.Count == 0, "links are let go", $"{Network.Open.Count} links are not disposed");
                IsOver = true;
                break;
        }
    }

    private async Task StopAsync()
    {
        await _server.StopAsync();
        _server.CheckRoomsEnded();
    }

    private void CheckConvergence()
    {
        foreach (SimulatedClient client in _clients)
        {
            Judge.Require(client.IsOnline, "liveness", $"{client.Name} is not logged in although the faults have stopped");
            Judge.Require(!client.Queue.IsWaiting, "liveness", $"{client.Name} still waits for a match or for its seat");
            foreach (WorldRoom room in client.Rooms.Values)
            {
                RoomLog log = Judge.Rooms[room.Id];
                if (!log.Members.ContainsKey(room.Number))
                {
                    continue; // the room has taken it out, and the client has not asked since
                }

                Judge.Require(
                    room.Last == log.Events.Count,
                    "everything arrives",
                    $"{client.Name} knows {room.Last} of {log.Events.Count} events of room {room.Id}");
                Judge.Require(
                    room.Members.SetEquals(log.Members.Keys),
                    "member lists agree",
                    $"{client.Name} has the members {Join(room.Members)} of room {room.Id}, the room {Join(log.Members.Keys)}");
                Judge.Require(
                    room.Unacknowledged.Count == 0,
                    "liveness",
                    $"{client.Name} has no answer to message {room.Unacknowledged.FirstOrDefault()} in room {room.Id}");
            }
        }

        static string Join(IEnumerable<int> numbers) => string.Join(' ', numbers.Order());
    }

    private void Attack()
    {
        if (Plan.Has(Faults.Attacks))
        {
            Clock.After(Dice.Between(0.1, 5), () =>
            {
                if (IsChaos)
                {
                    Attacks.Begin(this, Dice);
                    Attack();
                }
            });
        }
    }

    private void StepClock()
    {
        if (Plan.Has(Faults.ClockSteps))
        {
            Clock.After(Dice.Between(1, 20), () =>
            {
                if (IsChaos)
                {
                    Count("clock steps");
                    Clock.StepWall(TimeSpan.FromSeconds(Dice.Next(20_000) - 10_000));
                    if (Dice.Chance(0.3))
                    {
                        Count("suspensions");
                        Clock.Suspend(Dice.Between(0.1, 10));
                    }

                    StepClock();
                }
            });
        }
    }

    private void Moderate() => Clock.After(Dice.Between(5, 30), () =>
    {
        if (IsChaos)
        {
            _server.ExpelSomebody(Dice);
            Moderate();
        }
    });
}
