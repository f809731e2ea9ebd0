using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Simulation.Cluster;

/// <summary>The nodes of a cluster, their log and their directory, and what happens to them.</summary>
internal sealed class Fleet
{
    private readonly Dice _dice;
    private readonly Func<Machine, IFleetNode> _make;
    private readonly IFleetNode?[] _nodes; // the newest start of each
    private readonly List<IFleetNode> _others = []; // second starts
    private readonly NodeFaults[] _faults;
    private int _directoryOutages;
    private int _logOutages;

    /// <param name="world">Its world.</param>
    /// <param name="plan">What the cluster is like.</param>
    /// <param name="dice">The world's.</param>
    /// <param name="ready">Takes what reaches the nodes.</param>
    /// <param name="make">Makes the server of a start of a node.</param>
    internal Fleet(SimulatedWorld world, ClusterPlan plan, Dice dice, ReadyQueue ready, Func<Machine, IFleetNode> make)
    {
        World = world;
        Plan = plan;
        Ready = ready;
        _dice = dice;
        _make = make;
        History = new LogHistory(this);
        Log = new SimulatedLog(this);
        Directory = new LocalDirectoryStore(plan.Lease, world.Clock);
        _nodes = new IFleetNode?[plan.Nodes];
        _faults = [.. Enum.GetValues<NodeFaults>().Where(fault => fault != NodeFaults.All && plan.Has(fault))];
    }

    internal SimulatedWorld World { get; }

    internal ClusterPlan Plan { get; }

    internal ReadyQueue Ready { get; }

    internal LogHistory History { get; }

    internal SimulatedLog Log { get; }

    internal LocalDirectoryStore Directory { get; }

    /// <summary>What the rooms of the cluster have done, if nodes own rooms.</summary>
    internal ClusterHistory? Rooms { get; init; }

    /// <summary>Puts some member out of its room.</summary>
    internal Action Expel { get; init; } = static () => { };

    /// <summary>Ends some room.</summary>
    internal Action EndRoom { get; init; } = static () => { };

    internal bool IsDirectoryAway => _directoryOutages > 0;

    /// <summary>The newest start of each node.</summary>
    internal IReadOnlyList<IFleetNode?> Nodes => _nodes;

    /// <summary>The starts whose processes live.</summary>
    internal IEnumerable<IFleetNode> Living =>
        _nodes.Concat(_others).OfType<IFleetNode>().Where(static node => !node.Machine.Process.IsDead);

    /// <summary>What they run on.</summary>
    internal IEnumerable<Machine> LivingMachines => Living.Select(static node => node.Machine);

    internal Machine? FindLiving(RecordOrigin life) => LivingMachines.FirstOrDefault(machine => machine.Origin == life && machine.HasLog);

    internal void Start()
    {
        for (int slot = 0; slot < _nodes.Length; slot++)
        {
            _ = StartAsync(slot);
        }
    }

    /// <summary>A start of a node is registered, so that another one is lost: never one that renews its lease.</summary>
    internal void OnRegistered(Machine start)
    {
        foreach (Machine other in LivingMachines.Where(machine => machine != start && machine.Id == start.Id))
        {
            World.Judge.Require(
                !other.IsCalm || !other.HasLog, "one start of a node", $"{start} is registered although it runs as {other.Origin}");
            other.NoteOwnTrouble();
        }
    }

    /// <summary>The faults have stopped.</summary>
    internal void CalmDown()
    {
        foreach (Machine machine in LivingMachines)
        {
            World.SetFaults(machine.Network);
        }
    }

    /// <summary>Everything has had the time to settle, so each node runs.</summary>
    internal void CheckUp()
    {
        foreach (IFleetNode? node in _nodes)
        {
            World.Judge.Require(
                node is { Machine: { IsUp: true, WritesLog: true } },
                "liveness",
                $"{node?.Machine} does not run although the faults have stopped");
        }
    }

    internal Task StopAsync() => Task.WhenAll(Living.ToArray().Select(static node => node.StopAsync()));

    /// <summary>Lets something happen to the cluster now and then.</summary>
    internal void Strike() => After(_dice.Between(0.1, 2 * Plan.Pause), () =>
    {
        int slot = _dice.Next(_nodes.Length);
        IFleetNode node = _nodes[slot]!;
        if (_dice.Chance(0.2))
        {
            Expel();
        }

        if (_faults.Length > 0)
        {
            Strike(_faults[_dice.Next(_faults.Length)], slot, node);
        }

        Strike();
    });

    /// <summary>Lets the clocks of the nodes go wrong, if the plan has it.</summary>
    internal void StepClock()
    {
        if (World.Plan.Has(Faults.ClockSteps))
        {
            After(_dice.Between(1, 20), () =>
            {
                World.Count("clock steps");
                _nodes[_dice.Next(_nodes.Length)]!.Machine.Clock.Skew = TimeSpan.FromSeconds(_dice.Next(20_000) - 10_000);
                if (_dice.Chance(0.3))
                {
                    World.Count("suspensions");
                    Trouble();
                    World.Clock.Suspend(_dice.Between(0.1, 10));
                    Trouble();
                }

                StepClock();
            });
        }
    }

    private IFleetNode Make(int slot)
    {
        var machine = new Machine(this, slot + 1, _dice.Split());
        IFleetNode node = _make(machine);
        World.SetFaults(machine.Network);
        return node;
    }

    private async Task StartAsync(int slot)
    {
        IFleetNode node = _nodes[slot] = Make(slot);
        Machine machine = node.Machine;
        World.Note($"{machine}: starts");
        Exception? fault = await node.StartAsync();
        World.Note($"{machine}: {(fault is null ? $"runs as {machine.Origin}" : $"has not started: {fault.Message}")}");
        if (fault is not null && !machine.Process.IsDead)
        {
            World.Count("starts that failed");
            Restart(slot, _dice.Between(0.5, 3));
        }
    }

    private void Restart(int slot, TimeSpan delay) => World.Clock.After(delay, () =>
    {
        if (!World.IsEnding)
        {
            _ = StartAsync(slot);
        }
    });

    private void Strike(NodeFaults fault, int slot, IFleetNode node)
    {
        Machine machine = node.Machine;
        bool isForNode = fault is NodeFaults.Kills or NodeFaults.FastRestarts or NodeFaults.Freezes or NodeFaults.Drains
            or NodeFaults.SecondStarts or NodeFaults.LogCuts or NodeFaults.DirectoryCuts;
        if (isForNode && !machine.IsFree)
        {
            return;
        }

        World.Count($"faults: {fault}");
        World.Note($"{fault} {(isForNode ? machine : null)}");
        int shard = _dice.Next(Plan.Shards);
        switch (fault)
        {
            case NodeFaults.Kills:
                machine.Kill();
                Restart(slot, _dice.Between(1, 25));
                break;
            case NodeFaults.FastRestarts:
                machine.Kill();
                Restart(slot, _dice.Between(0, 1));
                break;
            case NodeFaults.Freezes:
                machine.Freeze();
                World.Clock.After(_dice.Between(0.1, 2.5 * Plan.Lease.TotalSeconds), machine.WakeUp);
                break;
            case NodeFaults.Drains:
                _ = DrainAsync(slot, node);
                break;
            case NodeFaults.SecondStarts:
                _ = StartAgainAsync(slot);
                break;
            case NodeFaults.LogCuts:
                machine.CutFromLog(isCut: true, isNoticed: _dice.Chance(0.5));
                World.Clock.After(_dice.Between(0.1, 20), () => machine.CutFromLog(isCut: false, isNoticed: true));
                break;
            case NodeFaults.DirectoryCuts:
                machine.CutFromDirectory(isCut: true);
                World.Clock.After(_dice.Between(0.1, 2 * Plan.Lease.TotalSeconds), () => machine.CutFromDirectory(isCut: false));
                break;
            case NodeFaults.LogOutages:
                Trouble();
                _logOutages++;
                Log.SetAway(isAway: true);
                World.Clock.After(_dice.Between(0.1, 15), () =>
                {
                    Trouble();
                    Log.SetAway(isAway: --_logOutages > 0);
                });
                break;
            case NodeFaults.DirectoryOutages:
                Trouble();
                _directoryOutages++;
                World.Clock.After(_dice.Between(0.1, 2 * Plan.Lease.TotalSeconds), () =>
                {
                    Trouble();
                    _directoryOutages--;
                });
                break;
            case NodeFaults.Trims:
                World.Count(Log.TryTrim(shard, _dice.Next(4)) ? "logs trimmed" : "logs not trimmed because of a death");
                break;
            case NodeFaults.Replacements:
                World.Count(Log.TryReplace(shard) ? "logs replaced" : "logs not replaced because of a death");
                Trouble();
                break;
            case NodeFaults.Repeats:
                machine.BreakLog();
                break;
            case NodeFaults.DirectoryErrors:
                break; // they happen with each question
            case NodeFaults.RoomEnds:
                EndRoom();
                break;
        }
    }

    private async Task DrainAsync(int slot, IFleetNode node)
    {
        await node.StopAsync();
        World.Count("nodes drained");
        World.Note($"{node.Machine}: has stopped");
        Restart(slot, _dice.Between(0, 10));
    }

    /// <summary>Starts a node a second time. While the first one lives, the directory refuses the second.</summary>
    private async Task StartAgainAsync(int slot)
    {
        IFleetNode second = Make(slot);
        _others.Add(second);
        Exception? fault = await second.StartAsync();
        if (fault is null)
        {
            World.Count("second starts that succeeded");
            await Task.Delay(TimeSpan.FromSeconds(2), second.Machine.Clock);
            await second.StopAsync();
        }

        _others.Remove(second);
    }

    /// <summary>Something happens to all nodes.</summary>
    private void Trouble()
    {
        foreach (Machine machine in LivingMachines)
        {
            machine.NoteTrouble();
        }
    }

    private void After(TimeSpan delay, Action action) => World.Clock.After(delay, () =>
    {
        if (World.IsChaos)
        {
            action();
        }
    });
}
