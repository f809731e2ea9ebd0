using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using PlayChat.Cluster.Log;

namespace PlayChat.Simulation.Cluster;

/// <summary>A node's way to the log of the world: an engine as those for PostgreSQL and RabbitMQ, on connections that the world
/// breaks.</summary>
internal sealed class SimulatedBackplane : RemoteBackplane
{
    private readonly Machine _machine;
    private readonly SimulatedLog _log;
    private readonly ClusterPlan _plan;
    private readonly Dice _dice;
    private readonly WakeUp _write = new();
    private readonly WakeUp _read = new();
    private CancellationTokenSource? _session;
    private Line? _line; // of the session
    private bool _isReadPosted;

    internal SimulatedBackplane(Machine machine, RecordOrigin origin, Dice dice, ILoggerFactory loggers)
        : base(machine.Fleet.Plan.Shards, origin, OptionsOf(machine.Fleet.Plan), loggers, time: machine.Clock)
    {
        _machine = machine;
        _log = machine.Fleet.Log;
        _plan = machine.Fleet.Plan;
        _dice = dice;
        _log.Add(this);
        Start();
    }

    /// <summary>Whether the offsets of the log have no gaps, and tell of missing batches.</summary>
    protected internal override bool HasDenseOffsets => _plan.HasDenseOffsets;

    protected override string Location => "the log of the world";

    private bool IsReachable => !_log.IsAway && !_machine.IsCutFromLog && !_machine.Process.IsDead;

    /// <summary>Breaks the connection, of which the node learns.</summary>
    internal void Break() => _machine.Process.Enter(() => _ = _session?.CancelAsync());

    /// <summary>The log has a further batch.</summary>
    internal void OnAppended()
    {
        if (!_isReadPosted)
        {
            _isReadPosted = true;
            _machine.World.Clock.After(DrawDelay(), () => _machine.Process.Enter(() =>
            {
                _isReadPosted = false;
                _read.Set();
            }));
        }
    }

    /// <summary>The log can be reached again.</summary>
    internal void OnReachable()
    {
        _line?.Resume();
        OnAppended();
    }

    /// <summary>The log has dropped batches.</summary>
    internal void OnTrimmed(int shard)
    {
        // A reader whose log tells nothing by its offsets is disconnected if its place is gone, as a broker does.
        if (GetSubscriptions().OfType<Subscription>().Any(reader => reader.Shard == shard && HasLost(reader))
            && (!_plan.HasDenseOffsets || _dice.Chance(0.5)))
        {
            Break();
        }
    }

    /// <summary>Whether a reader has not yet read a place.</summary>
    internal bool MayMiss(int shard, LocalPlace place) => GetSubscriptions().OfType<Subscription>().Any(
        reader => reader.Shard == shard
            && (reader.Next.Epoch < place.Epoch || (reader.Next.Epoch == place.Epoch && reader.Next.Offset <= place.Offset)));

    internal override double DrawJitter() => _dice.Next(1000) / 1000.0;

    protected override void OnPending(int shard) => _write.Set();

    protected override ShardSubscription CreateSubscription() => new Subscription();

    protected override void OnSubscribed(ShardSubscription subscription) => _read.Set();

    protected override async ValueTask DisposeCoreAsync()
    {
        await base.DisposeCoreAsync();
        _log.Remove(this);
    }

    protected override async Task RunSessionAsync(CancellationTokenSource session)
    {
        ArgumentNullException.ThrowIfNull(session);
        await Task.Delay(DrawDelay(), Time, session.Token);
        if (!IsReachable)
        {
            throw new IOException("The log is away.");
        }

        for (int shard = 0; shard < ShardCount; shard++)
        {
            if (_plan.TellsItsEnd)
            {
                GetQueue(shard).Confirm(_log.LastOf(Origin, shard), multiple: true);
            }

            int again = GetQueue(shard).Unconfirmed;
            _machine.World.Count("batches sent again", again);
            Rewind(shard);
        }

        var line = new Line(this);
        (_session, _line) = (session, line);
        try
        {
            OnReady();
            _read.Set();
            _write.Set();
            await RunLoopsAsync(session, WriteAsync(line, session.Token), ReadAsync(line, session.Token));
        }
        finally
        {
            (_session, _line) = (null, null);
            line.Break(arrives: _dice.Chance(0.5));
        }
    }

    private static BackplaneOptions OptionsOf(ClusterPlan plan) => new()
    {
        PendingTimeout = plan.PendingTimeout,
        PendingBytes = plan.PendingBytes,
        BatchBytes = plan.BatchBytes,
        MaxUnconfirmed = plan.MaxUnconfirmed,
    };

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_gaps")]
    private static extern ref long GapsOf(BackplaneMeter meter);

    private TimeSpan DrawDelay() => TimeSpan.FromMilliseconds(_dice.Next((int)_plan.LogDelay.TotalMilliseconds + 1));

    private bool HasLost(Subscription reader)
    {
        LocalPlace place = reader.Next;
        _ = _log.Store.TryRead(reader.Shard, ref place);
        return reader.Next.Epoch != 0 && place != reader.Next;
    }

    private async Task WriteAsync(Line line, CancellationToken stop)
    {
        while (true)
        {
            for (int shard = 0; shard < ShardCount; shard++)
            {
                uint epoch = _log.Store.GetEpoch(shard);
                while (TakeGreeting(shard, epoch) is { } greeting)
                {
                    line.Send(shard, 0, greeting);
                }

                while (GetQueue(shard).TryTake(epoch, out PendingBatch batch))
                {
                    line.Send(shard, batch.Number, batch.Bytes.ToArray());
                }
            }

            await _write.WaitAsync(stop);
        }
    }

    private async Task ReadAsync(Line line, CancellationToken stop)
    {
        while (true)
        {
            foreach (Subscription reader in GetSubscriptions().OfType<Subscription>())
            {
                await ReadAsync(reader, line);
            }

            await _read.WaitAsync(stop);
        }
    }

    private async Task ReadAsync(Subscription reader, Line line)
    {
        if (!reader.IsAttachedTo(line))
        {
            if (await reader.AttachAsync(line) is not { } from)
            {
                return;
            }

            reader.Next = from switch
            {
                { Position: { } position } => new LocalPlace(position.Epoch, position.Offset),
                { IsEarliest: true } => new LocalPlace(_log.Store.GetEpoch(reader.Shard), 0),
                _ => _log.Store.GetEnd(reader.Shard),
            };
            if (from is { Position: null, IsEarliest: false })
            {
                _machine.ReadsFrom = _machine.World.Clock.Elapsed;
            }

            Greet(reader);
            _write.Set();
        }

        LocalPlace place = reader.Next;
        while (IsReachable && !_machine.Process.IsFrozen && _log.Store.TryRead(reader.Shard, ref place) is { } batch)
        {
            bool isGap = place != reader.Next;
            if (isGap)
            {
                _machine.NoteGap();
            }

            bool mustTell = isGap && HasDenseOffsets && reader.Reader.Position is { Epoch: > 0 };
            long gaps = GapsOf(Meter);
            if (!await reader.ReadAsync(line, place.Offset, batch))
            {
                return;
            }

            long told = GapsOf(Meter) - gaps;
            _machine.World.Judge.Require(
                told > 0 ? _machine.HasGap || _machine.Fleet.History.IsOutOfOrder(reader.Shard, batch) : !mustTell,
                "gaps are told",
                $"{_machine} is told of {told} gaps at {place.Offset}, and has {(_machine.HasGap ? "" : "never ")}missed batches");
            if (told > 0 && !isGap)
            {
                _machine.NoteGap(); // its rooms may drop what they get until they have their state again
            }

            place = reader.Next = place with { Offset = place.Offset + 1 };
        }

        if (_machine.Process.IsFrozen)
        {
            OnAppended(); // it goes on when it wakes up
        }
    }

    private sealed class Subscription : RemoteSubscription
    {
        internal LocalPlace Next { get; set; }
    }

    /// <summary>A connection: batches arrive at the log in their order, and their confirmations at the node.</summary>
    private sealed class Line(SimulatedBackplane owner)
    {
        private readonly Queue<Action> _stalled = new();
        private readonly int _generation = owner._log.Generation;
        private readonly Way _there = new();
        private readonly Way _back = new();
        private bool _isBroken;
        private bool _arrives; // although it is broken
        private bool _isLost; // a batch, and so those behind it: a connection leaves none out

        private SimulatedClock Clock => owner._machine.World.Clock;

        internal void Send(int shard, long number, byte[] bytes) => Later(_there, () => Arrive(shard, number, bytes));

        /// <param name="arrives">Whether the log still gets what is under way.</param>
        internal void Break(bool arrives) => (_isBroken, _arrives) = (true, arrives && _stalled.Count == 0); // nothing overtakes

        internal void Resume()
        {
            while (owner.IsReachable && _stalled.TryDequeue(out Action? stalled))
            {
                stalled();
            }
        }

        private void Arrive(int shard, long number, byte[] bytes)
        {
            bool hasSender = !_isBroken && !owner._machine.Process.IsDead;
            _isLost |= (_isBroken && !_arrives) || (owner._log.IsAway && !hasSender);
            if (_isLost)
            {
                return;
            }

            if (hasSender && (!owner.IsReachable || _stalled.Count > 0))
            {
                _stalled.Enqueue(() => Append(shard, number, bytes));
                return;
            }

            Append(shard, number, bytes);
        }

        private void Append(int shard, long number, byte[] bytes)
        {
            if (_generation != owner._log.Generation)
            {
                return;
            }

            owner._log.Append(shard, bytes, owner.Origin, number);
            Later(_back, () => owner._machine.Process.Enter(() =>
            {
                if (!_isBroken && number > 0)
                {
                    owner.GetQueue(shard).Confirm(number, multiple: false);
                    owner.OnAnswer();
                    owner._write.Set();
                }
            }));
        }

        private void Later(Way way, Action action)
        {
            TimeSpan due = Clock.Elapsed + owner.DrawDelay();
            way.LastDue = due > way.LastDue ? due : way.LastDue;
            way.Actions.Enqueue(action);
            // What is due at one time runs in any order, and each in turn takes the oldest.
            Clock.After(way.LastDue - Clock.Elapsed, () => way.Actions.Dequeue()());
        }

        /// <summary>One direction, in which nothing overtakes.</summary>
        private sealed class Way
        {
            internal Queue<Action> Actions { get; } = new();

            internal TimeSpan LastDue { get; set; }
        }
    }
}
