using Microsoft.Extensions.Logging;
using PlayChat.Cluster.Log;

namespace PlayChat.Simulation.Cluster;

/// <summary>What one start of a node runs on: its process, its network, and its ways to the log and to the directory.</summary>
internal sealed class Machine
{
    /// <summary>Longer than a link is under way to the server.</summary>
    internal static readonly TimeSpan UnderWay = TimeSpan.FromSeconds(25);

    private readonly Dice _logDice;
    private SimulatedBackplane? _backplane;
    private TimeSpan _troubledAt;
    private TimeSpan _ownTroubledAt;

    internal Machine(Fleet fleet, int id, Dice dice)
    {
        Fleet = fleet;
        Id = id;
        Process = new NodeProcess(fleet.Ready);
        Clock = new NodeClock(World.Clock, Process);
        Network = new SimulatedNetwork(dice.Split(), World.Clock, Process)
        {
            Readiness = World.Plan.Readiness,
            LinkBytes = World.Plan.LinkBytes,
            Clients = fleet.Ready,
            Enter = Process.Enter,
        };
        NoteOwnTrouble(); // it has just started
        _logDice = dice.Split();
        Directory = new SimulatedDirectory(this, dice.Split());
    }

    internal Fleet Fleet { get; }

    internal SimulatedWorld World => Fleet.World;

    internal int Id { get; }

    internal NodeProcess Process { get; }

    internal NodeClock Clock { get; }

    internal SimulatedNetwork Network { get; }

    internal SimulatedDirectory Directory { get; }

    /// <summary>The present life, by the directory.</summary>
    internal RecordOrigin Origin { get; private set; }

    /// <summary>Whether its server has started, and does not stop.</summary>
    internal bool IsUp { get; private set; }

    internal bool IsCutFromDirectory { get; private set; }

    internal bool IsCutFromLog { get; private set; }

    /// <summary>Whether it runs, and nothing is wrong with it or with its ways.</summary>
    internal bool IsFree => IsUp && !Process.IsFrozen && !IsCutFromLog && !IsCutFromDirectory;

    /// <summary>Whether the present life has its log, so that it has not ended.</summary>
    internal bool HasLog => _backplane is { State: not BackplaneState.Down };

    internal bool WritesLog => _backplane is { State: BackplaneState.Up };

    /// <summary>Whether nothing has happened to this node alone for so long that it must have kept its lease.</summary>
    internal bool IsWell => World.Clock.Elapsed - _ownTroubledAt > (2 * Fleet.Plan.Lease) + TimeSpan.FromSeconds(5) && !IsInTrouble;

    /// <summary>Whether nothing has happened to this node or to what it needs for a lease.</summary>
    internal bool IsCalm => World.Clock.Elapsed - _troubledAt > Fleet.Plan.Lease && !IsInTrouble;

    /// <summary>When a reader of the node has last missed batches; <see langword="null"/> if none has.</summary>
    internal TimeSpan? MissedAt { get; private set; }

    /// <summary>Whether a reader of the node has ever missed batches.</summary>
    internal bool HasGap => MissedAt is not null;

    /// <summary>When the newest reader of the node began at the end of its log.</summary>
    internal TimeSpan ReadsFrom { get; set; }

    private bool IsInTrouble => Process.IsDead || Process.IsFrozen || !IsUp || IsCutFromLog || IsCutFromDirectory;

    public override string ToString() => $"node {Id}";

    internal SimulatedBackplane CreateBackplane(RecordOrigin origin, ILoggerFactory loggers)
    {
        Origin = origin;
        NoteOwnTrouble();
        return _backplane = new SimulatedBackplane(this, origin, _logDice.Split(), loggers);
    }

    internal void NoteStarted() => IsUp = true;

    internal void NoteStops()
    {
        IsUp = false;
        NoteOwnTrouble();
    }

    internal void NoteTrouble() => _troubledAt = World.Clock.Elapsed;

    internal void NoteOwnTrouble() => _troubledAt = _ownTroubledAt = World.Clock.Elapsed;

    /// <summary>A reader of the node is told of missing batches.</summary>
    internal void NoteGap()
    {
        MissedAt = World.Clock.Elapsed;
        World.Count("gaps");
        World.Note($"{this}: is told of missing batches");
        NoteTrouble();
    }

    /// <summary>Whether nothing has happened to the present life since shortly before a time.</summary>
    internal bool IsWellSince(RecordOrigin origin, TimeSpan at) =>
        !IsInTrouble && Origin == origin && _troubledAt < at - TimeSpan.FromSeconds(1);

    internal void Kill()
    {
        IsUp = false;
        Process.Kill();
        if (_backplane is { } backplane)
        {
            Fleet.Log.Remove(backplane);
        }

        foreach (SimulatedLink link in Network.Open.ToArray())
        {
            link.Abort();
        }
    }

    internal void Freeze()
    {
        NoteOwnTrouble();
        Process.Freeze();
    }

    internal void WakeUp()
    {
        NoteOwnTrouble();
        Process.WakeUp();
    }

    internal void CutFromLog(bool isCut, bool isNoticed)
    {
        NoteOwnTrouble();
        IsCutFromLog = isCut;
        if (!isCut)
        {
            _backplane?.OnReachable();
        }
        else if (isNoticed)
        {
            _backplane?.Break();
        }
    }

    internal void CutFromDirectory(bool isCut)
    {
        NoteOwnTrouble();
        IsCutFromDirectory = isCut;
    }

    internal void BreakLog() => _backplane?.Break();

    /// <summary>What waits for the log is within its bounds at any time.</summary>
    internal void CheckBounds()
    {
        if (_backplane is { } backplane)
        {
            World.Judge.Require(
                backplane.PendingBytes <= Fleet.Plan.PendingBytes, "bounds", $"{this}: {backplane.PendingBytes} bytes wait for the log");
            World.Judge.Require(
                backplane.Unconfirmed <= Fleet.Plan.MaxUnconfirmed * Fleet.Plan.Shards,
                "bounds",
                $"{this}: {backplane.Unconfirmed} batches are unconfirmed");
        }
    }
}
