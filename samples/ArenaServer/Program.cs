using System.Runtime.InteropServices;
using ArenaServer;
using ArenaServer.Bots;
using ArenaServer.Game;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Postgres;
using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Transport;
using PlayChat.Recording;

try
{
    ArenaOptions options = ArenaOptions.Parse(args);
    if (options.ShowHelp)
    {
        Console.Write(ArenaOptions.Help);
        return 0;
    }

    using var stop = new CancellationTokenSource();
    using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
    using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
    stop.CancelAfter(options.Duration);
    await (options.Bots == 0 ? ServeAsync(options, stop.Token) : PlayAsync(options, stop.Token));
    return 0;

    void Stop(PosixSignalContext signal)
    {
        signal.Cancel = !stop.IsCancellationRequested; // a second one ends the process, whatever still hangs
        stop.Cancel();
    }
}
catch (ArgumentException e)
{
    Console.Error.WriteLine(e.Message);
    return 2;
}
catch (Exception e) when (e is ListenFailedException or ConnectFailedException or ConnectionClosedException or TimeoutException
    or OptionsException or JoinRefusedException or ClusterDirectoryException or NodeIdInUseException)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}

static async Task ServeAsync(ArenaOptions options, CancellationToken cancellationToken)
{
    await using PostgresDirectory? directory = options.Node > 0 ? ArenaCluster.CreateDirectory(options) : null;
    await using PlayChatServer server = new PlayChatServer(settings =>
        {
            settings.ListenTcp($"{options.Host}:{options.Port}");
            settings.Sessions.IdleTimeout = TimeSpan.FromSeconds(20); // a bot steers several times a second; who is silent is gone
        })
        .AddRoom<ArenaRoom>(new RoomSettings { Name = ArenaRoom.Title, IsClustered = directory is not null })
        .UseArena();
    if (directory is not null)
    {
        server.UseArenaCluster(options, directory);
    }

    var recordings = new RoomRecordings(settings => settings.Folder = options.Record ?? settings.Folder);
    await server.UseRecording(recordings).StartAsync(CancellationToken.None);
    Console.WriteLine($"The arena is open on {server.EndPoints[0]}. Ctrl+C closes it.");
    Task recording = options.Record is null ? Task.CompletedTask : RecordAsync(recordings, cancellationToken);
    await server.RunAsync(cancellationToken);
    await recording.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}

static async Task RecordAsync(RoomRecordings recordings, CancellationToken cancellationToken)
{
    while (true)
    {
        try
        {
            await recordings.StartAsync(ArenaRoom.Title, cancellationToken: cancellationToken);
            return;
        }
        catch (InvalidOperationException)
        {
            await Task.Delay(TimeSpan.FromSeconds(0.1), cancellationToken); // servers that share the arena run it from the first join on
        }
    }
}

static async Task PlayAsync(ArenaOptions options, CancellationToken cancellationToken)
{
    await using var crowd = new BotCrowd(options);
    using IArenaScreen screen = Console.IsOutputRedirected ? new LineScreen(Console.Out) : new TerminalScreen(Console.Out);
    await crowd.RunAsync(screen, cancellationToken);
}
