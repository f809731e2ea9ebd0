using PlayChat.State;

namespace PlayChat.MicroBenchmarks;

/// <summary>
/// A world of 1,000 entities, of which 200 move in each tick and 20 lose health: to change the state and encode one patch for all, to
/// encode one for each of 100 views of 50 entities, and to apply the patch.
/// </summary>
[MemoryDiagnoser]
public class StateBenchmarks
{
    private const int Entities = 1000;
    private const int Moving = 200;
    private const int Views = 100;
    private const int Visible = 50;

    private readonly Crowd<ExactWorld> _exact = new(new ExactWorld());
    private readonly Crowd<FixedWorld> _fixed = new(new FixedWorld());
    private readonly Crowd<ViewedWorld> _viewed = new(new ViewedWorld());
    private readonly ExactEntity[] _exacts = new ExactEntity[Entities];
    private readonly FixedEntity[] _fixeds = new FixedEntity[Entities];
    private readonly ExactEntity[] _vieweds = new ExactEntity[Entities];
    private readonly StateView[] _views = new StateView[Views];
    private readonly StateReplica<ExactWorld> _replica = new(new ExactWorld());
    private int _tick;

    [GlobalSetup]
    public void Setup()
    {
        for (int i = 0; i < Entities; i++)
        {
            _exact.State.Entities.Add(i, _exacts[i] = new ExactEntity { Id = (uint)i, X = i, Y = i, Hp = 100 });
            _fixed.State.Entities.Add(i, _fixeds[i] = new FixedEntity { Id = (uint)i, X = i, Y = i, Hp = 100 });
            _viewed.State.Entities.Add(i, _vieweds[i] = new ExactEntity { Id = (uint)i, X = i, Y = i, Hp = 100 });
        }

        _exact.Tracker.Begin();
        _replica.Apply(_exact.Encoder.WriteSnapshot());
        _exact.Tracker.End();
        _fixed.Tracker.Begin();
        _fixed.Tracker.End();
        for (int v = 0; v < Views; v++)
        {
            _views[v] = _viewed.Tracker.AddView();
            ExactEntity[] near = [.. Enumerable.Range(0, Visible).Select(i => _vieweds[((v * 10) + i) % Entities])];
            _views[v].ShowOnly<ExactEntity>(near);
        }

        _viewed.Tracker.Begin();
        foreach (StateView view in _views)
        {
            _viewed.Encoder.WriteSnapshot(view);
        }

        _viewed.Tracker.End();
    }

    [Benchmark]
    public int ChangeAndEncodeExact()
    {
        _exact.State.Tick++;
        ChangeExact(_exacts);
        return _exact.Encode();
    }

    [Benchmark]
    public int ChangeAndEncodeTwoDecimals()
    {
        _fixed.State.Tick++;
        int tick = _tick++;
        for (int i = 0; i < Moving; i++)
        {
            FixedEntity entity = _fixeds[((tick * Moving) + (i * 5)) % Entities];
            entity.X += 1.5f;
            entity.Y -= 0.5f;
            if (i % 10 == 0)
            {
                entity.Hp = (byte)((entity.Hp + 1) % 100);
            }
        }

        return _fixed.Encode();
    }

    [Benchmark]
    public int ChangeAndEncodeHundredViews()
    {
        _viewed.State.Tick++;
        ChangeExact(_vieweds);
        _viewed.Tracker.Begin();
        int bytes = 0;
        foreach (StateView view in _views)
        {
            bytes += _viewed.Encoder.WriteView(view, _viewed.Tracker.Revision - 1).Length;
        }

        _viewed.Tracker.End();
        return bytes;
    }

    [Benchmark]
    public StateApplyResult ChangeEncodeAndApply()
    {
        _exact.State.Tick++;
        ChangeExact(_exacts);
        _exact.Tracker.Begin();
        StateApplyResult result = _replica.Apply(_exact.Encoder.WritePatch());
        _exact.Tracker.End();
        return result;
    }

    private void ChangeExact(ExactEntity[] entities)
    {
        int tick = _tick++;
        for (int i = 0; i < Moving; i++)
        {
            ExactEntity entity = entities[((tick * Moving) + (i * 5)) % Entities];
            entity.X += 1.5f;
            entity.Y -= 0.5f;
            if (i % 10 == 0)
            {
                entity.Hp = (byte)((entity.Hp + 1) % 100);
            }
        }
    }

    private sealed class Crowd<TState>
        where TState : SyncObject
    {
        internal Crowd(TState state)
        {
            State = state;
            Tracker = new StateTracker(state, new StateLimits());
            Encoder = new StateEncoder(Tracker, new StateLimits());
        }

        internal TState State { get; }

        internal StateTracker Tracker { get; }

        internal StateEncoder Encoder { get; }

        internal int Encode()
        {
            Tracker.Begin();
            int bytes = Encoder.WritePatch().Length;
            Tracker.End();
            return bytes;
        }
    }
}

[SyncState]
internal sealed partial class ExactWorld
{
    [Sync(1)]
    private uint _tick;

    [Sync(2)]
    private readonly SyncMap<int, ExactEntity> _entities = new();
}

[SyncState]
internal sealed partial class FixedWorld
{
    [Sync(1)]
    private uint _tick;

    [Sync(2)]
    private readonly SyncMap<int, FixedEntity> _entities = new();
}

[SyncState]
internal sealed partial class ViewedWorld
{
    [Sync(1)]
    private uint _tick;

    [Sync(2, Viewed = true)]
    private readonly SyncMap<int, ExactEntity> _entities = new();
}

[SyncState]
internal sealed partial class ExactEntity
{
    [Sync(1)]
    private uint _id;

    [Sync(2)]
    private float _x;

    [Sync(3)]
    private float _y;

    [Sync(4)]
    private byte _hp;

    [Sync(5)]
    private byte _dir;
}

[SyncState]
internal sealed partial class FixedEntity
{
    [Sync(1)]
    private uint _id;

    [Sync(2, Decimals = 2)]
    private float _x;

    [Sync(3, Decimals = 2)]
    private float _y;

    [Sync(4)]
    private byte _hp;

    [Sync(5)]
    private byte _dir;
}
