using System.Buffers;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Packets;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.State.Tests;

/// <summary>A server that shares a room with others. The room counts its ticks in its state.</summary>
internal sealed class ClusterNode : IAsyncDisposable
{
    private readonly InMemoryTransport _transport = new();
    private readonly PlayChatServer _server;
    private readonly PlayChatConnector _connector;

    internal ClusterNode(int id, LocalDirectoryStore directory, LocalLog log)
    {
        _server = new PlayChatServer(static options => options.ListenTcp("127.0.0.1:0"))
            .UseTransport(_transport)
            .UsePackets(Packets())
            .UseRoomCluster(new RoomClusterOptions
            {
                NodeId = id,
                Endpoint = $"node{id}",
                Directory = new LocalDirectory(directory),
                CreateBackplane = origin => new LocalBackplane(log, origin),
            })
            .AddRoom<CountingRoom>(new RoomSettings { Name = "arena", IsClustered = true })
            .OnPackets(static router => router.MapPacket<JoinPacket.Join>(async (context, _, stop) =>
                await context.Rooms.Get<CountingRoom>("arena").JoinAsync(context.Session, cancellationToken: stop)));
        _connector = new PlayChatConnector(
            FrameFormat.Packet(),
            Packets(),
            static router => router.MapPacket<ReadOnlySequence<byte>>((context, body) => context.Connection.Get<Client>()!.Take(body)),
            transport: _transport);
    }

    internal Task StartAsync() => _server.StartAsync();

    internal Task StopAsync() => _server.StopAsync().WaitAsync(TestTimeouts.Hang);

    internal async Task<Client> JoinAsync()
    {
        var client = new Client();
        Connection connection = await _connector.ConnectAsync(_server.EndPoints[0], connection => connection.Set(client));
        connection.SendPacket(new JoinPacket.Join());
        return client;
    }

    public async ValueTask DisposeAsync()
    {
        await _connector.DisposeAsync();
        await _server.DisposeAsync();
    }

    private static PacketSet Packets() => new PacketSet().Add(new JoinPacket()).AddRaw(StateRoom<World>.PacketId, "State");

    /// <summary>A client that follows the room.</summary>
    internal sealed class Client
    {
        private readonly object _gate = new();
        private readonly List<(uint Tick, TaskCompletionSource Reached)> _waiting = [];
        private readonly List<uint> _ticks = [];
        private readonly StateReplica<World> _replica = new(new World());

        /// <summary>The ticks that it has seen so far, in order.</summary>
        internal uint[] Ticks
        {
            get
            {
                lock (_gate)
                {
                    return [.. _ticks];
                }
            }
        }

        /// <summary>Completes when the state has a tick.</summary>
        internal Task SeesAsync(uint tick)
        {
            lock (_gate)
            {
                var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                _waiting.Add((tick, reached));
                Tell();
                return reached.Task.WaitAsync(TestTimeouts.Hang);
            }
        }

        internal void Take(ReadOnlySequence<byte> body)
        {
            lock (_gate)
            {
                if (_replica.Apply(in body) == StateApplyResult.Applied)
                {
                    _ticks.Add(_replica.State.Tick);
                    Tell();
                }
            }
        }

        private void Tell() => _waiting.ForEach(waiting =>
        {
            if (_replica.State.Tick >= waiting.Tick)
            {
                waiting.Reached.TrySetResult();
            }
        });
    }

    internal sealed class CountingRoom : Room<RoomMember>
    {
        private readonly World _world = new();

        public CountingRoom(RoomContext context)
            : base(context) =>
            AddPart(new StateSync<World>(_world, new StateOptions { PacketId = StateRoom<World>.PacketId }));

        protected override void OnCreate() => StartTick(50);

        protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

        protected override void OnTick(in RoomTick tick) => _world.Tick++;
    }
}
