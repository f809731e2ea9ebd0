using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>What the nodes of a test share, and its nodes.</summary>
internal abstract class HallSpace : IAsyncDisposable
{
    private readonly List<HallNode> _nodes = [];

    /// <summary>The lease of its nodes: long enough for a loaded machine.</summary>
    public static TimeSpan Lease { get; } = TimeSpan.FromSeconds(4);

    /// <summary>How long a node writes without reading before it notices: longer than its lease, so that a test can have a former owner
    /// that still writes.</summary>
    public static TimeSpan PendingTimeout { get; } = TimeSpan.FromMinutes(5);

    /// <summary>The name of the hall, which no other test has.</summary>
    public string Hall { get; } = $"hall {Guid.NewGuid():N}";

    /// <summary>How many threads read the logs of a node at once.</summary>
    public abstract int Readers { get; }

    public abstract IClusterDirectory CreateDirectory();

    public abstract IRoomBackplane CreateBackplane(RecordOrigin origin);

    /// <summary>Starts the next node. The first one of a space owns the hall.</summary>
    /// <param name="id">The node's id; that of a killed node starts it again.</param>
    /// <param name="make">Makes the room, instead of its constructor.</param>
    public async Task<HallNode> StartAsync(
        TimeSpan? snapshots = null,
        int capacity = 100,
        string? password = null,
        bool removeWhenEmpty = false,
        int? id = null,
        Func<RoomContext, Rooms.Hall>? make = null)
    {
        var node = new HallNode(this, id ?? _nodes.Count + 1, snapshots ?? TimeSpan.FromMilliseconds(100));
        _nodes.Add(node);
        await node.StartAsync(
            new RoomSettings
            {
                Name = Hall,
                IsClustered = true,
                Capacity = capacity,
                Password = password,
                RemoveWhenEmpty = removeWhenEmpty,
            },
            make);
        await Eventually.TrueAsync(() => Rooms.Hall.Published.ContainsKey(Hall)); // the first node owns the hall, before another starts
        return node;
    }

    public virtual async ValueTask DisposeAsync()
    {
        foreach (HallNode node in _nodes)
        {
            await node.DisposeAsync();
        }
    }
}
