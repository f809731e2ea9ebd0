using PlayChat.Cluster.Log;

namespace PlayChat.Simulation.Cluster;

/// <summary>The log of a world: the product's <see cref="LocalLog"/> with its faults.</summary>
internal sealed class SimulatedLog(Fleet fleet)
{
    private readonly List<SimulatedBackplane> _backplanes = []; // of processes that live
    private readonly Dictionary<(RecordOrigin Origin, int Shard), long> _last = [];
    private readonly List<LocalPlace>[] _deaths = [.. Enumerable.Range(0, fleet.Plan.Shards).Select(static _ => new List<LocalPlace>())];

    internal LocalLog Store { get; } = new(fleet.Plan.Shards);

    internal bool IsAway { get; private set; }

    /// <summary>Changes when the log is replaced: what is under way to the former one is lost.</summary>
    internal int Generation { get; private set; }

    internal void Add(SimulatedBackplane backplane) => _backplanes.Add(backplane);

    internal void Remove(SimulatedBackplane backplane) => _backplanes.Remove(backplane);

    /// <summary>The number of the last batch of a node that the log has.</summary>
    internal long LastOf(RecordOrigin origin, int shard) => _last.GetValueOrDefault((origin, shard));

    internal void Append(int shard, byte[] bytes, RecordOrigin origin, long number)
    {
        LocalPlace place = Store.GetEnd(shard);
        Store.Append(shard, bytes);
        if (number > LastOf(origin, shard))
        {
            _last[(origin, shard)] = number;
        }

        if (fleet.History.OnAppended(shard, bytes))
        {
            _deaths[shard].Add(place);
        }

        foreach (SimulatedBackplane backplane in _backplanes)
        {
            backplane.OnAppended();
        }
    }

    internal void SetAway(bool isAway)
    {
        IsAway = isAway;
        foreach (SimulatedBackplane backplane in _backplanes.ToArray())
        {
            if (isAway)
            {
                backplane.Break();
            }
            else
            {
                backplane.OnReachable();
            }
        }
    }

    /// <summary>Drops all batches but some of the newest. A node reads that another one is dead in any case: that an owner may miss it is a
    /// limit of the product.</summary>
    internal bool TryTrim(int shard, int keep)
    {
        if (HasUnreadDeath(shard, Store.GetEnd(shard).Offset - keep))
        {
            return false;
        }

        Store.Trim(shard, keep);
        foreach (SimulatedBackplane backplane in _backplanes.ToArray())
        {
            backplane.OnTrimmed(shard);
        }

        return true;
    }

    internal bool TryReplace(int shard)
    {
        if (HasUnreadDeath(shard, long.MaxValue))
        {
            return false;
        }

        Generation++;
        Store.Replace(shard);
        _deaths[shard].Clear();
        foreach ((RecordOrigin Origin, int Shard) key in _last.Keys.Where(key => key.Shard == shard).ToArray())
        {
            _last.Remove(key);
        }

        foreach (SimulatedBackplane backplane in _backplanes.ToArray())
        {
            backplane.Break();
        }

        return true;
    }

    private bool HasUnreadDeath(int shard, long before) => _deaths[shard].Exists(
        death => death.Offset < before && _backplanes.Exists(backplane => backplane.MayMiss(shard, death)));
}
