using System.Runtime.CompilerServices;
using PlayChat_Game.Messages;
using PlayChat_Game.Server;
using PlayChat.Recording;
using PlayChat.Testing;

namespace PlayChat_Game.Tests;

/// <summary>A recorded game: the lobby gets again what it got then, and must send the same.</summary>
public sealed class ReplayTests
{
    private const string FileName = "lobby.pcr";

    [Fact]
    public async Task A_recorded_game_is_played_as_before()
    {
        RoomReplayResult<Lobby> replay =
            await RoomReplay.RunAsync<Lobby>(Path.Combine(AppContext.BaseDirectory, FileName), static server => server.UseGame());
        replay.ThrowIfDiverged();
    }

    // Run it when players shall see something else than before: dotnet run --project PlayChat-Game.Tests -- -explicit only
    [Fact(Explicit = true)]
    public async Task Record_the_game_again()
    {
        string folder = Path.GetDirectoryName(ThisFile())!;
        var recordings = new RoomRecordings(options =>
        {
            options.Folder = folder;
            options.RecordsBodies = true;
            options.Record<Lobby>();
        });
        string recorded;
        await using (RoomHarness<Lobby> harness = await LobbyTests.StartAsync(server => server.UseRecording(recordings)))
        {
            recorded = recordings.Running.Single().Path;
            HarnessClient ada = await LobbyTests.JoinAsync(harness, "ada");
            HarnessClient bob = await LobbyTests.JoinAsync(harness, "bob");
            await LobbyTests.JoinAsync(harness, "Ada"); // refused: the name is taken
            ada.SendPacket(new Say("hello"));
            await harness.AdvanceAsync(TimeSpan.FromSeconds(1));
            bob.Break();
            await harness.IdleAsync();
        }

        File.Move(recorded, Path.Combine(folder, FileName), overwrite: true);
    }

    private static string ThisFile([CallerFilePath] string path = "") => path;
}
