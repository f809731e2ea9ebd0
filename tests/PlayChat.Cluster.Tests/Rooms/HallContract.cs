using PlayChat.Cluster.Log;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Core.Rooms;
using PlayChat.Recording;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>The common part of the suites for a room that several servers share: its nodes and their clients. The first node of a test owns
/// the hall.</summary>
public abstract class HallContract(Func<Task<BackplaneSpace>> createSpace) : LogContract(createSpace)
{
    // The kinds of records.
    private protected const byte IgnoredKind = 100;
    private protected const byte OwnerKind = 101;
    private protected const byte ReleasedKind = 102;
    private protected const byte OutputKind = 103;
    private protected const byte JoinKind = 106;
    private protected const byte FrameKind = 111;

    private protected const int MaxSnapshotBytes = 2 << 20; // the largest that the option takes

    private readonly List<HallNode> _nodes = [];

    /// <summary>The lease of the nodes: long enough for a loaded machine.</summary>
    private protected virtual TimeSpan Lease => TimeSpan.FromSeconds(4);

    /// <summary>How long a node writes without reading before it notices: longer than its lease, so that a test can have a former owner
    /// that still writes.</summary>
    private protected virtual TimeSpan PendingTimeout => TimeSpan.FromMinutes(5);

    /// <summary>The interval of a node that publishes the state only when it hands the hall over.</summary>
    private protected static TimeSpan Rarely { get; } = TimeSpan.FromHours(1);

    /// <summary>The name of the hall, which no other test has.</summary>
    private protected string HallName { get; } = $"hall {Guid.NewGuid():N}";

    public override async ValueTask DisposeAsync()
    {
        foreach (HallNode node in _nodes)
        {
            await node.DisposeAsync();
        }

        await base.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>Starts the next node.</summary>
    /// <param name="snapshots">The interval of the states.</param>
    /// <param name="answers">How long a join waits for the owner.</param>
    /// <param name="id">The node's id; that of a killed node starts it again.</param>
    /// <param name="make">Makes the room, instead of its constructor.</param>
    /// <param name="recordings">Records rooms of the node.</param>
    private protected async Task<HallNode> StartAsync(
        TimeSpan? snapshots = null,
        TimeSpan? answers = null,
        int capacity = 100,
        string? password = null,
        bool removeWhenEmpty = false,
        int? id = null,
        Func<RoomContext, Hall>? make = null,
        RoomRecordings? recordings = null)
    {
        int nodeId = id ?? _nodes.Count + 1;
        var node = new HallNode(Space, HallName, wires => new RoomClusterOptions
        {
            NodeId = nodeId,
            Endpoint = $"node{nodeId}",
            Directory = wires.Wrap(Space.CreateDirectory(Lease)),
            CreateBackplane = origin => wires.Wrap(Space.Open(origin, new BackplaneOptions { PendingTimeout = PendingTimeout })),
            SnapshotInterval = snapshots ?? TimeSpan.FromMilliseconds(100),
            MaxSnapshotBytes = MaxSnapshotBytes,
            SweepInterval = TimeSpan.FromMilliseconds(200),
            AnswerTimeout = answers ?? TestTimeouts.Hang,
        });
        _nodes.Add(node);
        if (recordings is not null)
        {
            node.Server.UseRecording(recordings);
        }

        await node.StartAsync(
            new RoomSettings
            {
                Name = HallName,
                IsClustered = true,
                Capacity = capacity,
                Password = password,
                RemoveWhenEmpty = removeWhenEmpty,
            },
            make);
        await Eventually.TrueAsync(() => Hall.Published.ContainsKey(HallName)); // the first node owns the hall, before another starts
        return node;
    }

    /// <summary>Starts the next node, with a client that is a member.</summary>
    private protected async Task<(HallNode Node, HallClient Client)> StartAsync(string name)
    {
        HallNode node = await StartAsync();
        return (node, await node.JoinAsync(name));
    }

    /// <summary>Starts two nodes, and then joins a client at each of them.</summary>
    private protected async Task<(HallNode First, HallNode Second, HallClient Ann, HallClient Bob)> StartTwoAsync(
        TimeSpan? snapshots = null, bool removeWhenEmpty = false)
    {
        HallNode first = await StartAsync(snapshots, removeWhenEmpty: removeWhenEmpty);
        HallNode second = await StartAsync(snapshots, removeWhenEmpty: removeWhenEmpty);
        return (first, second, await first.JoinAsync("ann"), await second.JoinAsync("bob"));
    }

    /// <summary>Waits until the owner has published the state with so many texts.</summary>
    /// <param name="texts">The number; -1 for no state.</param>
    /// <param name="readers">Clients whose nodes have then read it, because they have read the answer behind it.</param>
    private protected async Task PublishedAsync(int texts, params HallClient[] readers)
    {
        await Eventually.TrueAsync(() => Hall.Published.GetValueOrDefault(HallName) == texts);
        await Task.WhenAll(readers.Select(static reader => reader.AskAsync()));
    }

    /// <summary>Lets a node miss a record of the hall that another one writes. It learns that with the next record that it reads.</summary>
    private protected static async Task MissAsync(HallNode reader, HallNode writer)
    {
        int probes = reader.Switch.CountOf(IgnoredKind);
        reader.Switch.Misses = true;
        await writer.Switch.FloodAsync(writer.Hall.Id, IgnoredKind, records: 1, bodyBytes: 0);
        await Eventually.TrueAsync(() => reader.Switch.CountOf(IgnoredKind) > probes);
        reader.Switch.Misses = false;
    }

    /// <summary>Waits until no node has a room.</summary>
    private protected Task EndedAsync() => Eventually.TrueAsync(() => _nodes.TrueForAll(static node => node.Server.Rooms.Count == 0));

    /// <summary>Creates the hall on a node, whose first question the directory answers before this returns.</summary>
    /// <returns>What the later questions wait for.</returns>
    private protected static async Task<TaskCompletionSource> CreateAndAskOnceAsync(HallNode node)
    {
        int questions = node.Switch.Questions;
        int answers = node.Switch.Answers;
        TaskCompletionSource mayAsk = node.Switch.HoldQuestions();
        node.CreateHall();
        await Eventually.TrueAsync(() => node.Switch.Questions > questions);
        TaskCompletionSource mayAskAgain = node.Switch.HoldQuestions();
        mayAsk.SetResult();
        await Eventually.TrueAsync(() => node.Switch.Answers > answers);
        return mayAskAgain;
    }
}
