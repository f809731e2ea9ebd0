using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Core.Rooms;

namespace PlayChat.Simulation.Cluster;

/// <summary>A cluster of servers and their clients, from the start to the end of both; the seed decides everything.</summary>
internal sealed class ClusterWorld : SimulatedWorld
{
    internal static readonly TimeSpan MaxResumeWindow = TimeSpan.FromSeconds(20);

    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    private static readonly int[] s_phaseSeconds = [0, 100, 50, 90, 40, 0];

    private readonly List<ClusterClient> _clients = [];
    private readonly ClusterNode?[] _nodes; // the newest start of each
    private readonly List<ClusterNode> _others = []; // second starts
    private readonly NodeFaults[] _faults;
    private TimeSpan _nextLook;
    private Task? _stop;
    private int _directoryOutages;
    private int _logOutages;

    internal ClusterWorld(Plan plan, Variant variant, bool keepsLines, TextWriter? output = null)
        : base(plan, variant, keepsLines, output)
    {
        Cluster = plan.Cluster ?? throw new ArgumentException("The plan has no cluster.", nameof(plan));
        Pace = plan.Pace < TimeSpan.FromSeconds(0.5) ? TimeSpan.FromSeconds(0.5) : plan.Pace;
        History = new ClusterHistory(this);
        Log = new SimulatedLog(this, Cluster);
        Directory = new LocalDirectoryStore(Cluster.Lease, Clock);
        _nodes = new ClusterNode?[Cluster.Nodes];
        _faults = [.. Enum.GetValues<NodeFaults>().Where(fault => fault != NodeFaults.All && Cluster.Has(fault))];
        Variants.Apply(variant, Clock, network: null, Ready, Dice.Split());
    }

    internal ClusterPlan Cluster { get; }

    internal ClusterHistory History { get; }

    internal SimulatedLog Log { get; }

    internal LocalDirectoryStore Directory { get; }

    internal override TimeSpan Pace { get; }

    internal override int Clients => _clients.Count;

    internal bool IsDirectoryAway => _directoryOutages > 0;

    private protected override TimeSpan PhaseTime => TimeSpan.FromSeconds(s_phaseSeconds[Phase]);

    /// <summary>The nodes whose processes live.</summary>
    internal IEnumerable<ClusterNode> LivingNodes =>
        _nodes.Concat(_others).OfType<ClusterNode>().Where(static node => !node.Process.IsDead);

    internal ClusterNode? FindLiving(RecordOrigin life) => LivingNodes.FirstOrDefault(node => node.Origin == life && node.HasLog);

    /// <summary>A start of a node is registered, so that another one is lost: never one that renews its lease.</summary>
    internal void OnRegistered(ClusterNode start)
    {
        foreach (ClusterNode other in LivingNodes.Where(node => node != start && node.Id == start.Id))
        {
            Judge.Require(
                !other.IsCalm || !other.HasLog, "one start of a node", $"{start} is registered although it runs as {other.Origin}");
            other.NoteOwnTrouble();
        }
    }

    internal ClusterNode? PickNode(Dice dice) => _nodes[dice.Next(_nodes.Length)];

    private protected override void Begin()
    {
        for (int slot = 0; slot < _nodes.Length; slot++)
        {
            _ = StartAsync(slot);
        }

        for (int user = 1; user <= Plan.Clients; user++)
        {
            var client = new ClusterClient(this, user, Dice.Split());
            _clients.Add(client);
            client.Start(Dice.Between(0, 3));
        }

        Strike();
        StepClock();
    }

    private protected override void Step()
    {
        if (Clock.Elapsed >= _nextLook)
        {
            _nextLook = Clock.Elapsed + s_look;
            foreach (ClusterNode node in LivingNodes)
            {
                node.CheckBounds();
            }
        }

        MoveOn();
    }

    private async Task StartAsync(int slot)
    {
        var node = new ClusterNode(this, slot + 1, Ready, Dice.Split());
        _nodes[slot] = node;
        SetFaults(node.Network);
        Note($"{node}: starts");
        Exception? fault = await node.StartAsync();
        Note($"{node}: {(fault is null ? $"runs as {node.Origin}" : $"has not started: {fault.Message}")}");
        if (fault is not null && !node.Process.IsDead)
        {
            Count("starts that failed");
            Restart(slot, Dice.Between(0.5, 3));
        }
    }

    private void Restart(int slot, TimeSpan delay) => Clock.After(delay, () =>
    {
        if (Phase < 3)
        {
            _ = StartAsync(slot);
        }
    });

    private protected override void BeginPhase()
    {
        switch (Phase)
        {
            case 1: // the faults stop
                foreach (ClusterNode node in LivingNodes)
                {
                    SetFaults(node.Network);
                }

                _clients.ForEach(static client => client.CalmDown());
                break;
            case 2: // everything has had the time to settle: everybody speaks
                foreach (ClusterNode? node in _nodes)
                {
                    Judge.Require(
                        node is { IsUp: true, WritesLog: true }, "liveness", $"{node} does not run although the faults have stopped");
                }

                _clients.ForEach(static client => client.SayEverywhere());
                break;
            case 3:
                CheckConvergence();
                _clients.ForEach(static client => client.EndForGood());
                break;
            case 4: // everything has ended that was left alone
                foreach (ClusterNode node in LivingNodes)
                {
                    node.CheckNothingLeft();
                }

                _stop = Task.WhenAll(LivingNodes.ToArray().Select(static node => node.StopAsync()));
                break;
            default:
                Judge.Require(_stop!.IsCompletedSuccessfully, "liveness", $"the nodes have not stopped: {_stop.Status} {_stop.Exception}");
                IsOver = true;
                break;
        }
    }

    private void CheckConvergence()
    {
        SharedRoom[] rooms = [.. LivingNodes.SelectMany(static node => node.Rooms)];
        foreach (IGrouping<long, SharedRoom> replicas in rooms.GroupBy(static room => room.Id))
        {
            SharedRoom[] owned = [.. replicas.Select(static room => room.Owned).OfType<SharedRoom>()];
            Judge.Require(owned.Length == 1, "one owner", $"room {replicas.Key} runs on {owned.Length} nodes");
            if (owned is not [var room])
            {
                continue;
            }

            Judge.Require(
                room.Tenure == History.Of(room.Id).Newest,
                "one owner",
                $"room {room.Id} runs as {room.Tenure!.Tag}, which is not the newest");
            int members = room.Tenure!.Members.Count;
            int seats = replicas.Sum(static replica => replica.MemberCount);
            Judge.Require(
                room.MemberCount == members && seats == members,
                "member lists agree",
                $"room {room.Id} has {room.MemberCount} members, its nodes {seats}, and it was told of {members}");
        }

        foreach (ClusterClient client in _clients)
        {
            Judge.Require(client.IsOnline, "liveness", $"{client.Name} is not logged in although the faults have stopped");
            foreach (RoomView view in client.Rooms.Values)
            {
                CheckConvergence(client, view, rooms);
            }
        }
    }

    private void CheckConvergence(ClusterClient client, RoomView view, SharedRoom[] rooms)
    {
        Tenure? tenure = rooms.Where(room => room.Id == view.Id).Select(static room => room.Owned?.Tenure)
            .FirstOrDefault(static own => own is not null);
        string where = $"{client.Name} at {client.Node} in room {view.Id}";
        Judge.Require(
            tenure is not null && view.Tenure == tenure && view.Last == tenure.Count && !view.HasGap && !view.IsReturning,
            "everything arrives",
            $"{where} knows {view.Last} events of {view.Tenure?.Tag}{(view.HasGap ? " with a gap" : "")}"
                + $"{(view.IsReturning ? " and returns" : "")}; the room has {tenure?.Count} of {tenure?.Tag}");
        Judge.Require(
            tenure is not null && tenure.Members.ContainsKey(view.Number),
            "member lists agree",
            $"{where} is member {view.Number}, of which the room knows nothing");
        Judge.Require(
            tenure is null || view.Members.SetEquals(tenure.Members.Keys),
            "member lists agree",
            $"{where} has the members {Join(view.Members)}, the room {Join(tenure?.Members.Keys.AsEnumerable() ?? [])}");
        Judge.Require(
            client.UnansweredIn(view.Id) == 0, "liveness", $"{where} has no answer to message {client.UnansweredIn(view.Id)}");
    }

    private static string Join(IEnumerable<int> numbers) => string.Join(' ', numbers.Order());

    private void StepClock()
    {
        if (Plan.Has(Faults.ClockSteps))
        {
            After(Dice.Between(1, 20), () =>
            {
                Count("clock steps");
                _nodes[Dice.Next(_nodes.Length)]!.Clock.Skew = TimeSpan.FromSeconds(Dice.Next(20_000) - 10_000);
                if (Dice.Chance(0.3))
                {
                    Count("suspensions");
                    Trouble();
                    Clock.Suspend(Dice.Between(0.1, 10));
                    Trouble();
                }

                StepClock();
            });
        }
    }

    /// <summary>Lets something happen to the cluster now and then.</summary>
    private void Strike() => After(Dice.Between(0.1, 2 * Cluster.Pause), () =>
    {
        int slot = Dice.Next(_nodes.Length);
        ClusterNode node = _nodes[slot]!;
        if (Dice.Chance(0.2))
        {
            OnSomeRoom(static (room, dice) => room.Expel(dice));
        }

        if (_faults.Length > 0)
        {
            Strike(_faults[Dice.Next(_faults.Length)], slot, node);
        }

        Strike();
    });

    private void Strike(NodeFaults fault, int slot, ClusterNode node)
    {
        bool isFree = node is { IsUp: true, Process.IsFrozen: false, IsCutFromLog: false, IsCutFromDirectory: false };
        bool isForNode = fault is NodeFaults.Kills or NodeFaults.FastRestarts or NodeFaults.Freezes or NodeFaults.Drains
            or NodeFaults.SecondStarts or NodeFaults.LogCuts or NodeFaults.DirectoryCuts;
        if (isForNode && !isFree)
        {
            return;
        }

        Count($"faults: {fault}");
        Note($"{fault} {(isForNode ? node : null)}");
        int shard = Dice.Next(Cluster.Shards);
        switch (fault)
        {
            case NodeFaults.Kills:
                node.Kill();
                Restart(slot, Dice.Between(1, 25));
                break;
            case NodeFaults.FastRestarts:
                node.Kill();
                Restart(slot, Dice.Between(0, 1));
                break;
            case NodeFaults.Freezes:
                node.Freeze();
                Clock.After(Dice.Between(0.1, 2.5 * Cluster.Lease.TotalSeconds), node.WakeUp);
                break;
            case NodeFaults.Drains:
                _ = DrainAsync(slot, node);
                break;
            case NodeFaults.SecondStarts:
                _ = StartAgainAsync(slot);
                break;
            case NodeFaults.LogCuts:
                node.CutFromLog(isCut: true, isNoticed: Dice.Chance(0.5));
                Clock.After(Dice.Between(0.1, 20), () => node.CutFromLog(isCut: false, isNoticed: true));
                break;
            case NodeFaults.DirectoryCuts:
                node.CutFromDirectory(isCut: true);
                Clock.After(Dice.Between(0.1, 2 * Cluster.Lease.TotalSeconds), () => node.CutFromDirectory(isCut: false));
                break;
            case NodeFaults.LogOutages:
                Trouble();
                _logOutages++;
                Log.SetAway(isAway: true);
                Clock.After(Dice.Between(0.1, 15), () =>
                {
                    Trouble();
                    Log.SetAway(isAway: --_logOutages > 0);
                });
                break;
            case NodeFaults.DirectoryOutages:
                Trouble();
                _directoryOutages++;
                Clock.After(Dice.Between(0.1, 2 * Cluster.Lease.TotalSeconds), () =>
                {
                    Trouble();
                    _directoryOutages--;
                });
                break;
            case NodeFaults.Trims:
                Count(Log.TryTrim(shard, Dice.Next(4)) ? "logs trimmed" : "logs not trimmed because of a death");
                break;
            case NodeFaults.Replacements:
                Count(Log.TryReplace(shard) ? "logs replaced" : "logs not replaced because of a death");
                Trouble();
                break;
            case NodeFaults.Repeats:
                node.BreakLog();
                break;
            case NodeFaults.DirectoryErrors:
                break; // they happen with each question
            case NodeFaults.RoomEnds:
                OnSomeRoom(static (room, _) => room.End());
                break;
        }
    }

    private async Task DrainAsync(int slot, ClusterNode node)
    {
        await node.StopAsync();
        Count("nodes drained");
        Note($"{node}: has stopped");
        Restart(slot, Dice.Between(0, 10));
    }

    /// <summary>Starts a node a second time. While the first one lives, the directory refuses the second.</summary>
    private async Task StartAgainAsync(int slot)
    {
        var second = new ClusterNode(this, slot + 1, Ready, Dice.Split());
        SetFaults(second.Network);
        _others.Add(second);
        Exception? fault = await second.StartAsync();
        if (fault is null)
        {
            Count("second starts that succeeded");
            await Task.Delay(TimeSpan.FromSeconds(2), second.Clock);
            await second.StopAsync();
        }

        _others.Remove(second);
    }

    private void OnSomeRoom(Action<SharedRoom, Dice> action)
    {
        SharedRoom[] rooms = [.. LivingNodes.SelectMany(static node => node.Rooms).Select(static room => room.Owned).OfType<SharedRoom>()];
        if (rooms.Length > 0)
        {
            SharedRoom room = rooms[Dice.Next(rooms.Length)];
            Dice dice = Dice.Split();
            room.Post((SharedRoom owned) => action(owned, dice));
        }
    }

    /// <summary>Something happens to all nodes.</summary>
    private void Trouble()
    {
        foreach (ClusterNode node in LivingNodes)
        {
            node.NoteTrouble();
        }
    }

    private void After(TimeSpan delay, Action action) => Clock.After(delay, () =>
    {
        if (IsChaos)
        {
            action();
        }
    });
}
