using System.Text.Json;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>The log as JSON lines, and what a start says about the configuration.</summary>
[Trait("Tier", "Full")]
public sealed class LogFormatTests
{
    private const string Token = "no one may read this token";

    [Fact]
    public async Task With_the_option_every_line_of_console_and_file_is_a_JSON_object_with_the_values_as_fields()
    {
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--Log:Format=json", "--Rooms:MaxRooms=7", "--Operations:Token=" + Token.Replace(' ', '-'));
        await using (ChatClient player = await Players.LoginAsync(server, "ada"))
        {
            await player.CreateRoomAsync("lobby");
        }

        Assert.Equal(0, await server.StopAsync());

        string file = Assert.Single(Directory.GetFiles(Path.Combine(server.Directory, "logs"), "playchat-*.log"));
        JsonElement[] lines = [.. (await File.ReadAllLinesAsync(file)).Select(static line => JsonDocument.Parse(line).RootElement)];
        JsonElement login = Assert.Single(lines, static line => NameOf(line) == "LoggedIn");
        long connection = login.GetProperty("ConnectionId").GetInt64();
        Assert.StartsWith("Player 1 (\"ada\") logged in on connection ", login.GetProperty("@m").GetString(), StringComparison.Ordinal);
        Assert.Equal("ada", login.GetProperty("PlayerName").GetString());
        foreach (string name in new[] { "RoomCreated", "Gone" })
        {
            Assert.Equal(connection, Assert.Single(lines, line => NameOf(line) == name).GetProperty("ConnectionId").GetInt64());
        }

        // The console has the same lines, and no other.
        JsonElement[] printed = [.. server.Program.OutputLines.Select(static line => JsonDocument.Parse(line).RootElement)];
        Assert.Contains(printed, static line => NameOf(line) == "LoggedIn");
        Assert.Contains(printed, static line => NameOf(line) == "Ready");
    }

    [Fact]
    public async Task A_start_logs_the_settings_that_are_not_defaults_and_no_secret()
    {
        string token = Token.Replace(' ', '-');
        await using ServerProcess server = await ServerProcess.StartAsync(
            "--Rooms:MaxRooms=7", "--Operations:Token=" + token, "--Serilog:MinimumLevel:Override:PlayChat=Debug");

        Assert.Equal(0, await server.StopAsync());

        string line = Assert.Single(
            server.Program.OutputLines, static line => line.Contains("Settings other than the defaults:", StringComparison.Ordinal));
        Assert.Contains(", Operations:Token=***, ", line, StringComparison.Ordinal);
        Assert.Contains(", Rooms:MaxRooms=7, ", line, StringComparison.Ordinal);
        Assert.Contains("Serilog:MinimumLevel:Override:PlayChat=Debug", line, StringComparison.Ordinal);
        Assert.DoesNotContain("Rooms:MaxMembers", line, StringComparison.Ordinal);
        Assert.DoesNotContain(server.Program.OutputLines, line => line.Contains(token, StringComparison.Ordinal));
    }

    private static string? NameOf(JsonElement line) =>
        line.TryGetProperty("EventId", out JsonElement id) && id.TryGetProperty("Name", out JsonElement name) ? name.GetString() : null;
}
