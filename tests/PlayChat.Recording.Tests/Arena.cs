using ArenaServer.Game;
using ArenaServer.Protocol;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Testing;

namespace PlayChat.Recording.Tests;

/// <summary>The sample's arena in a server that records it, and players that steer as a seed decides.</summary>
internal sealed class Arena : IAsyncDisposable
{
    private readonly Random _random = new(1);
    private readonly List<HarnessClient> _players = [];
    private readonly Folder _folder;

    private Arena(RoomHarness<ArenaRoom> harness, RoomRecordings recordings, Folder folder) =>
        (Harness, Recordings, _folder) = (harness, recordings, folder);

    internal RoomHarness<ArenaRoom> Harness { get; }

    internal RoomRecordings Recordings { get; }

    internal static async Task<Arena> StartAsync(Folder folder, Action<RecordingOptions>? configure = null)
    {
        var recordings = new RoomRecordings(options =>
        {
            options.Folder = folder.Path;
            configure?.Invoke(options);
        });
        RoomHarness<ArenaRoom> harness = await RoomHarness.StartAsync(
            static context => new ArenaRoom(context),
            ArenaPackets.All,
            server => server.UseArena().UseRecording(recordings),
            settings: new RoomSettings { Name = ArenaRoom.Title });
        return new Arena(harness, recordings, folder);
    }

    /// <summary>Replays the only recording.</summary>
    internal static Task<RoomReplayResult<ArenaRoom>> ReplayAsync(string path, RoomReplayOptions<ArenaRoom>? options = null) =>
        RoomReplay.RunAsync(path, static server => server.UseArena(), options);

    public ValueTask DisposeAsync() => Harness.DisposeAsync();

    internal async Task<HarnessClient> JoinAsync(string name)
    {
        HarnessClient client = await Harness.ConnectAsync();
        await client.RequestAsync<JoinAnswer>(new Join(name));
        _players.Add(client);
        return client;
    }

    /// <summary>Lets the players steer for some time, each about three times a second.</summary>
    internal async Task PlayAsync(TimeSpan time)
    {
        TimeSpan step = TimeSpan.FromMilliseconds(40);
        for (TimeSpan left = time; left > TimeSpan.Zero; left -= step)
        {
            foreach (HarnessClient player in _players.Where(_ => _random.Next(8) == 0))
            {
                player.SendPacket(new Steer((sbyte)_random.Next(-1, 2), (sbyte)_random.Next(-1, 2)));
            }

            await Harness.AdvanceAsync(step);
        }
    }

    /// <summary>Lets the players stand still: what the arena writes as its state has no directions.</summary>
    internal async Task HaltAsync()
    {
        _players.ForEach(static player => player.SendPacket(new Steer(0, 0)));
        await Harness.IdleAsync();
    }

    /// <summary>Ends the server, and so the recording of the arena.</summary>
    internal async Task<string> StopAsync()
    {
        await DisposeAsync();
        return Assert.Single(_folder.Files);
    }
}
