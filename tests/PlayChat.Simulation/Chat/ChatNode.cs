using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Cluster;
using PlayChat.Chat.Configuration;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;
using PlayChat.Core.Hosting;
using PlayChat.Simulation.Cluster;

namespace PlayChat.Simulation.Chat;

/// <summary>One start of a chat server, as a node of a cluster.</summary>
internal sealed class ChatNode : IFleetNode
{
    private readonly ChatServer _server;

    internal ChatNode(ChatWorld world, Machine machine, IReadOnlyDictionary<string, string?> settings)
    {
        Machine = machine;
        var own = new Dictionary<string, string?>(settings, StringComparer.Ordinal)
        {
            ["Cluster:NodeId"] = $"{machine.Id}",
            ["PlayChat:Endpoints:0:Address"] = $"127.0.0.1:{ChatWorld.Port + machine.Id}",
        };
        _server = new ChatServer(
            world, $"{machine}", machine.Network, machine.Clock, own,
            services => services.AddSingleton<IClusterEngine>(
                provider => new Engine(machine, provider.GetRequiredService<ILoggerFactory>())),
            MayFail);
    }

    public Machine Machine { get; }

    /// <summary>Whether its server has stopped, so that it can be disposed.</summary>
    internal bool HasStopped { get; private set; }

    internal PlayChatServer Server => _server.Server;

    public override string ToString() => $"{Machine}";

    public async Task<Exception?> StartAsync()
    {
        try
        {
            await _server.StartAsync();
        }
        catch (StartException e)
        {
            return e;
        }

        Machine.NoteStarted();
        return null;
    }

    public async Task StopAsync()
    {
        Machine.NoteStops();
        await _server.StopAsync();
        if (!Machine.Process.IsDead)
        {
            HasStopped = true;
            Machine.World.Clock.After(Machine.UnderWay, _server.CheckEnded);
        }
    }

    internal void Dispose() => _server.Dispose();

    /// <summary>Whether the node may log an error: that it has left the cluster. It then has no life for a while.</summary>
    private bool MayFail()
    {
        bool mayFail = !Machine.IsWell || !Machine.IsCalm || Machine.Fleet.IsDirectoryAway || Machine.Fleet.Log.IsAway;
        Machine.NoteOwnTrouble();
        return mayFail;
    }

    private sealed class Engine(Machine machine, ILoggerFactory loggers) : IClusterEngine
    {
        public IClusterDirectory CreateDirectory() => machine.Directory;

        public RoomBackplane CreateBackplane(RecordOrigin origin, IMeterFactory meters) => machine.CreateBackplane(origin, loggers);
    }
}
