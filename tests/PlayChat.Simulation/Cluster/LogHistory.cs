using PlayChat.Cluster.Log;

namespace PlayChat.Simulation.Cluster;

/// <summary>What the nodes have written to the log of the world. It notes where that breaks a rule.</summary>
internal sealed class LogHistory(Fleet fleet)
{
    private readonly Dictionary<(int Shard, RecordOrigin Origin), long> _read = []; // the last batch, as a reader counts it
    private readonly Dictionary<(int Shard, RecordOrigin Origin, long Number), TimeSpan> _writtenAt = []; // first
    private readonly List<(int Shard, TimeSpan WrittenAt)> _repeats = [];
    private readonly Dictionary<(int Shard, int NodeId), long> _newest = []; // the newest life of each node
    private readonly HashSet<(int Shard, RecordOrigin Node)> _down = [];
    private readonly HashSet<(int Shard, int NodeId)> _outOfOrder = [];

    /// <summary>Whether a log says that a node is dead.</summary>
    internal bool IsDown(int shard, RecordOrigin node) => _down.Contains((shard, node));

    /// <summary>Whether the log has had the batches of a node in another order than the node has written them: some again, or some of a
    /// life behind those of the next one. A reader that begins in between may take others for missing.</summary>
    /// <param name="shard">The log.</param>
    /// <param name="bytes">A batch of the node.</param>
    internal bool IsOutOfOrder(int shard, byte[] bytes) => RecordBatch.TryRead(bytes, out RecordBatch batch) == BatchStatus.Valid
        && _outOfOrder.Contains((shard, batch.Header.Origin.NodeId));

    /// <summary>Whether a reader that began at some time may have begun between a batch and its repetition.</summary>
    internal bool MayReadTwice(int shard, TimeSpan readsFrom) =>
        _repeats.Exists(batch => batch.Shard == shard && batch.WrittenAt <= readsFrom);

    /// <summary>The log has a further batch.</summary>
    /// <returns>Whether it declares a node dead.</returns>
    internal bool OnAppended(int shard, byte[] bytes)
    {
        if (RecordBatch.TryRead(bytes, out RecordBatch batch) != BatchStatus.Valid)
        {
            return false;
        }

        SimulatedWorld world = fleet.World;
        RecordOrigin origin = batch.Header.Origin;
        bool isDeath = false;
        if (batch.Header.Number > 0)
        {
            long last = _read.GetValueOrDefault((shard, origin));
            world.Judge.Require(
                batch.Header.Number <= last + 1, "no batch is left out", $"{origin} has written batch {batch.Header.Number} behind {last}");
            if (batch.Header.Number <= last)
            {
                _outOfOrder.Add((shard, origin.NodeId));
                world.Count("batches that are in the log twice");
                if (_writtenAt.TryGetValue((shard, origin, batch.Header.Number), out TimeSpan writtenAt))
                {
                    _repeats.Add((shard, writtenAt));
                }

                return false;
            }

            _writtenAt[(shard, origin, batch.Header.Number)] = world.Clock.Elapsed;
            _read[(shard, origin)] = batch.Header.Number;
        }

        long newest = Math.Max(_newest.GetValueOrDefault((shard, origin.NodeId)), origin.Incarnation);
        _newest[(shard, origin.NodeId)] = newest;
        if (_down.Contains((shard, origin)) || origin.Incarnation < newest)
        {
            world.Count("batches of dead nodes");
            _outOfOrder.Add((shard, origin.NodeId));
            return false;
        }

        foreach (RoomRecord record in batch)
        {
            if (record.TryReadNodeDown(out RecordOrigin dead))
            {
                isDeath = true;
                if (_down.Add((shard, dead)))
                {
                    OnDown(shard, dead);
                }
            }
            else
            {
                fleet.Rooms?.OnRecord(origin, record);
            }
        }

        return isDeath;
    }

    private void OnDown(int shard, RecordOrigin dead)
    {
        fleet.World.Count("nodes declared dead");
        fleet.World.Note($"log {shard}: node {dead} is dead");
        fleet.World.Judge.Require(
            fleet.FindLiving(dead) is not { IsWell: true },
            "no living node is declared dead",
            $"node {dead} is well, and declared dead");
        fleet.Rooms?.OnDown(shard, dead);
    }
}
