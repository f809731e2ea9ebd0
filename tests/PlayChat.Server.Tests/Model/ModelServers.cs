using PlayChat.Chat.ChatLog;
using PlayChat.Chat.Cluster;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Server.Tests.Chat;
using PlayChat.Server.Tests.Cluster;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Model;

/// <summary>One server, or the nodes of a cluster that live.</summary>
internal sealed class ModelServers(string[] args) : IAsyncDisposable
{
    private readonly TemporaryDirectory _folder = new();
    private readonly List<TestServer> _started = []; // nodes, as the cluster numbers them
    private TestCluster? _cluster;

    public List<TestServer> Nodes { get; } = [];

    public async Task StartAsync(int nodes)
    {
        _cluster = nodes > 1 ? await TestCluster.StartAsync(nodes, args) : null;
        for (int i = 0; i < nodes; i++)
        {
            Nodes.Add(_cluster?[i] ?? await TestServer.StartInAsync(_folder.Path, null, args));
            _started.Add(Nodes[i]);
        }
    }

    /// <summary>Starts the server again, or kills a node and adds another one.</summary>
    public async Task ReplaceAsync(TestServer old)
    {
        Nodes.Remove(old);
        if (_cluster is null)
        {
            await old.DisposeAsync();
            Nodes.Add(await TestServer.StartInAsync(_folder.Path, null, args));
            return;
        }

        int killed = _started.IndexOf(old);
        await _cluster.KillAsync(killed);
        _cluster.DirectoryOf(killed).IsAway = false;
        await _cluster.DirectoryOf(killed).UnregisterAsync(); // as if its lease had ended
        foreach (SwitchedDirectory directory in Nodes.Select(node => _cluster.DirectoryOf(_started.IndexOf(node))))
        {
            long sweeps = directory.Sweeps;
            await Eventually.TrueAsync(() => directory.Sweeps > sweeps + 1); // one of them has said that its players are offline
        }

        Nodes.Add(await _cluster.AddAsync(args));
        _started.Add(Nodes[^1]);
    }

    /// <summary>Waits until nothing is on its way to rooms, store and directory.</summary>
    public async Task SettleAsync(RoomModel[] rooms, Func<RoomModel, TestServer, int> countSessions, IEnumerable<long> players)
    {
        foreach ((TestServer node, RoomModel room) in Nodes.SelectMany(node => rooms.Select(room => (node, room))))
        {
            await Eventually.TrueAsync(() => (node.Server.Rooms.Find(room.Id)?.MemberCount ?? 0) == countSessions(room, node));
            await Eventually.GetAsync(
                () => node.Store.ReadChatAfterAsync(room.Id, 0, limit: 200), stored => stored.Count == room.Messages.Length);
            ClusterLeaves? leaves = node.Find<ClusterNode>()?.Life!.Leaves;
            await Task.WhenAll(players.Select(player => leaves?.WaitAsync(room.Id, player) ?? Task.CompletedTask));
        }

        foreach (TestServer node in Nodes)
        {
            MembershipWrites memberships = node.Get<RoomArchive>().Memberships;
            memberships.Flush();
            await memberships.WrittenAsync(CancellationToken.None);
            await node.Get<DirectWriter>().FlushAsync();
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (IAsyncDisposable started in _cluster is null ? [.. Nodes] : new IAsyncDisposable[] { _cluster })
        {
            await started.DisposeAsync();
        }

        _folder.Dispose();
    }
}
