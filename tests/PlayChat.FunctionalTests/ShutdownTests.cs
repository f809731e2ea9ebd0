using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>A client that was told that a message has its place finds the message again, whatever happened after.</summary>
public sealed class ShutdownTests
{
    [Fact]
    public async Task SIGTERM_under_load_ends_with_exit_code_0_and_every_accepted_message_stored_once()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        await using ServerProcess server = await ServerProcess.StartAsync();
        await using ChatLoad load = await ChatLoad.StartAsync(server);

        int exitCode = await server.StopAsync();
        await load.WaitForEndAsync();

        Assert.True(exitCode == 0, server.Program.Describe());
        Assert.Empty(server.Program.ErrorLines);
        Dictionary<(long Room, long Sequence), string> stored = await load.AssertStoredAsync(server);
        Dictionary<(long Room, long Sequence), string> logged = ReadChatLog(server);
        Assert.Equal(stored.Values.Count, stored.Values.Distinct(StringComparer.Ordinal).Count());
        Assert.Equal(stored, logged);
        Assert.Equal(0, server.ReadFigures().GetProperty("extras").GetProperty("chat_not_stored").GetDouble());
    }

    private static Dictionary<(long Room, long Sequence), string> ReadChatLog(ServerProcess server)
    {
        Dictionary<(long Room, long Sequence), string> logged = [];
        foreach (string line in Directory.EnumerateFiles(server.ChatLogDirectory).SelectMany(File.ReadLines))
        {
            using var document = JsonDocument.Parse(line);
            JsonElement record = document.RootElement;
            if (record.GetProperty("player_id").GetInt64() != 0)
            {
                logged.Add((record.GetProperty("room_id").GetInt64(), record.GetProperty("sequence").GetInt64()), record.GetProperty("text")
                    .GetString()!);
            }
        }

        return logged;
    }
}
