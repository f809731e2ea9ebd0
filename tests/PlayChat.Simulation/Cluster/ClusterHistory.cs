using System.Buffers.Binary;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.OwnedRooms;

namespace PlayChat.Simulation.Cluster;

/// <summary>What has happened to the nodes and the rooms of a cluster, by the log, by the directory, and by the rooms' own code. It notes
/// where these break a rule.</summary>
internal sealed class ClusterHistory(ClusterWorld world)
{
    private readonly List<Tenure> _tenures = [];
    private readonly SortedDictionary<long, RoomHistory> _rooms = [];
    private readonly HashSet<(int User, int Attempt)> _attempts = [];

    internal IEnumerable<RoomHistory> Rooms => _rooms.Values;

    internal Tenure? Find(int tag) => tag >= 1 && tag <= _tenures.Count ? _tenures[tag - 1] : null;

    internal RoomHistory Of(long roomId)
    {
        if (!_rooms.TryGetValue(roomId, out RoomHistory? room))
        {
            _rooms[roomId] = room = new RoomHistory();
        }

        return room;
    }

    /// <summary>The directory has answered who owns a room.</summary>
    internal void OnNamed(long roomId, RecordOrigin asking, RecordOrigin? owner)
    {
        RoomHistory room = Of(roomId);
        if (owner == asking && room.Owner != asking)
        {
            Require(room.Owner is null, "one owner", $"room {roomId} is given to node {asking} while {room.Owner} owns it");
            room.Owner = asking;
            room.Grants[asking] = ++room.LastGrant;
            world.Count("rooms given to a node");
            world.Note($"directory: node {asking} owns room {roomId}");
        }
    }

    /// <summary>A node has given a room up at the directory.</summary>
    internal void OnReleased(long roomId, RecordOrigin owner, bool isReleased)
    {
        RoomHistory room = Of(roomId);
        if (isReleased)
        {
            Require(room.Owner == owner, "one owner", $"node {owner} gives up room {roomId}, which {room.Owner} owns");
            room.Owner = null;
            world.Note($"directory: node {owner} gives up room {roomId}");
        }
    }

    /// <summary>The directory forgets a lost node, whose rooms are free.</summary>
    internal void OnForgotten(RecordOrigin node)
    {
        foreach ((long id, RoomHistory room) in _rooms)
        {
            if (room.Owner == node)
            {
                int shard = RoomShard.Of(id, world.Cluster.Shards);
                Require(
                    world.Fleet.History.IsDown(shard, node),
                    "one owner",
                    $"room {id} is free, and the log does not say that its owner {node} is dead");
                room.Owner = null;
                world.Note($"directory: room {id} of the lost node {node} is free");
            }
        }
    }

    /// <summary>An object begins to run a room.</summary>
    internal Tenure Begin(long roomId, RecordOrigin owner)
    {
        RoomHistory room = Of(roomId);
        int grant = room.Grants.GetValueOrDefault(owner);
        Require(grant > 0, "one owner", $"node {owner} runs room {roomId}, which the directory has not given to it");
        Require(room.Used.Add(grant), "one owner", $"node {owner} runs room {roomId} twice");
        var tenure = new Tenure(_tenures.Count + 1, roomId, owner, grant);
        _tenures.Add(tenure);
        world.Count("rooms run");
        world.Note($"node {owner} runs room {roomId} as {tenure.Tag}, ownership {grant}");
        return tenure;
    }

    /// <summary>An object has continued the room, or begun it.</summary>
    internal void OnBegun(Tenure tenure)
    {
        RoomHistory room = Of(tenure.RoomId);
        world.Note($"room {tenure.RoomId} as {tenure.Tag} continues {tenure.Base?.Tag} with {tenure.BaseCount} events");
        if (tenure.Grant <= room.Newest?.Grant)
        {
            world.Count("rooms run by a node that reads late");
            return;
        }

        room.Newest = tenure;
        if (room.Required is not { } required || tenure.Includes(required, room.RequiredCount))
        {
            world.Count(tenure.Base is null ? "rooms begun" : "rooms continued");
            return;
        }

        string? holder = room.Holders.Where(static holder => holder.IsWell).Select(static holder => holder.ToString())
            .FirstOrDefault();
        Require(
            holder is null,
            "nothing acknowledged lost",
            $"room {tenure.RoomId} continues {tenure.Base?.Tag} with {tenure.BaseCount} events, and {holder} has {required.Tag} with "
                + $"{room.RequiredCount}");
        world.Count("rooms without a node that has their newest state");
        room.Required = null;
    }

    /// <summary>A room's code handles a message: each one once, unless the node began to read between a batch and its repetition.</summary>
    internal void OnAttempt(long roomId, ClusterNode node, int user, int attempt)
    {
        int shard = RoomShard.Of(roomId, world.Cluster.Shards);
        Require(
            _attempts.Add((user, attempt)) || world.Fleet.History.MayReadTwice(shard, node.Machine.ReadsFrom),
            "nothing twice",
            $"room {roomId} got message {attempt} of user {user} twice");
    }

    /// <summary>A node has written a record.</summary>
    internal void OnRecord(RecordOrigin origin, in RoomRecord record)
    {
        switch ((ClusterEntryKind)record.Kind)
        {
            case ClusterEntryKind.Snapshot:
                OnSnapshot(Of(record.RoomId), origin, record.Body.ToArray());
                break;
            case ClusterEntryKind.Output when record.Body.Span is [(byte)ClusterOutputKind.Removed]:
                Of(record.RoomId).Required = null;
                world.Count("rooms ended");
                world.Note($"log: node {origin} has ended room {record.RoomId}");
                break;
            case ClusterEntryKind.Owner:
                world.Note($"log: node {origin} claims room {record.RoomId}");
                break;
            case ClusterEntryKind.Released:
                world.Note($"log: node {origin} gives up room {record.RoomId}");
                OnGivenUp(record.RoomId, Of(record.RoomId), origin);
                NoteHolders(record.RoomId, Of(record.RoomId), origin);
                break;
            case >= ClusterEntryKind.Sync and <= ClusterEntryKind.Return:
                world.Note($"log: node {origin} asks room {record.RoomId}: {(ClusterEntryKind)record.Kind}");
                break;
        }
    }

    private void OnSnapshot(RoomHistory room, RecordOrigin origin, byte[] part)
    {
        if (!room.Readers.TryGetValue(origin, out SnapshotReader? reader))
        {
            room.Readers[origin] = reader = new SnapshotReader();
        }

        if (!reader.TryRead(origin, part, out _, out byte[]? state) || state is null)
        {
            return;
        }

        int count = BinaryPrimitives.ReadInt32LittleEndian(state.AsSpan(sizeof(int)));
        if (Find(BinaryPrimitives.ReadInt32LittleEndian(state)) is { } tenure
            && (room.Required is not { } required || required.Grant < tenure.Grant
                || (required == tenure && count > room.RequiredCount)))
        {
            (room.Required, room.RequiredCount) = (tenure, count);
        }
    }

    private void OnGivenUp(long roomId, RoomHistory room, RecordOrigin owner)
    {
        if (room.Newest is { } tenure && tenure.Owner == owner && room.Required is { } written)
        {
            Require(
                written == tenure && room.RequiredCount == tenure.Count,
                "nothing is lost by a handover",
                $"node {owner} gives up room {roomId} with {tenure.Count} events of {tenure.Tag}, and has written {room.RequiredCount} of "
                    + $"{written.Tag}");
        }
    }

    /// <summary>A log says that a node is dead.</summary>
    internal void OnDown(int shard, RecordOrigin dead)
    {
        foreach ((long id, RoomHistory room) in _rooms)
        {
            if (RoomShard.Of(id, world.Cluster.Shards) == shard)
            {
                NoteHolders(id, room, dead);
            }
        }
    }

    /// <summary>Notes which nodes could continue a room when its owner ends.</summary>
    private void NoteHolders(long roomId, RoomHistory room, RecordOrigin owner)
    {
        if (room.Owner == owner)
        {
            room.Holders = [.. world.LivingNodes.Where(node => node.HasState(roomId)).Select(static node => node.Machine)
                .Where(machine => machine.Origin != owner && machine.WritesLog)
                .Select(machine => new Holder(machine, machine.Origin, world.Clock.Elapsed))];
        }
    }

    private void Require(bool holds, string rule, string details) => world.Judge.Require(holds, rule, details);

    /// <summary>A node that had the state of a room when its owner ended.</summary>
    internal sealed record Holder(Machine Machine, RecordOrigin Origin, TimeSpan At)
    {
        /// <summary>Whether it is as well now as it was then.</summary>
        internal bool IsWell => Machine.IsWellSince(Origin, At);

        public override string ToString() => $"node {Origin}";
    }

    /// <summary>A room of the cluster.</summary>
    internal sealed class RoomHistory
    {
        /// <summary>The owner by the directory.</summary>
        internal RecordOrigin? Owner { get; set; }

        internal int LastGrant { get; set; }

        internal Dictionary<RecordOrigin, int> Grants { get; } = [];

        internal HashSet<int> Used { get; } = [];

        internal Dictionary<RecordOrigin, SnapshotReader> Readers { get; } = [];

        /// <summary>The object that runs the room, or has run it last.</summary>
        internal Tenure? Newest { get; set; }

        /// <summary>What the log has of the room's state; <see langword="null"/> if there is none, or the room has ended.</summary>
        internal Tenure? Required { get; set; }

        internal int RequiredCount { get; set; }

        internal IReadOnlyList<Holder> Holders { get; set; } = [];
    }
}
