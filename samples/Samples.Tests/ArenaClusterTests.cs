using System.Globalization;
using ArenaServer.Game;
using ArenaServer.Protocol;
using Npgsql;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Framing;
using PlayChat.Recording;

namespace Samples.Tests;

/// <summary>Two arena servers that share the arena through the database that PLAYCHAT_TEST_POSTGRES names.</summary>
public sealed class ArenaClusterTests
{
    private const int EnoughCoins = 5;
    private const int LostCoins = 2; // taken after the last published state

    [Fact]
    public Task The_arena_continues_with_its_scores_when_the_server_that_runs_it_is_killed() => RunAsync(PlayAsync);

    [Fact]
    public Task A_recording_of_the_arena_under_load_replays_identically() => RunAsync(RecordAsync);

    private static async Task RunAsync(Func<string, Task> play)
    {
        string? server = Environment.GetEnvironmentVariable("PLAYCHAT_TEST_POSTGRES");
        Assert.SkipWhen(string.IsNullOrEmpty(server), "No PostgreSQL server is named: PLAYCHAT_TEST_POSTGRES=$(tools/postgres start)");
        string schema = $"arena_{Guid.NewGuid():N}";
        string database = new NpgsqlConnectionStringBuilder(server) { SearchPath = schema }.ConnectionString;
        await ExecuteAsync(server!, $"CREATE SCHEMA {schema}");
        try
        {
            await play(database);
        }
        finally
        {
            await ExecuteAsync(server!, $"DROP SCHEMA {schema} CASCADE");
        }
    }

    private static async Task PlayAsync(string database)
    {
        await using SampleProcess first = SampleProcess.Start("ArenaServer", "--port", "0", "--node", "1", "--database", database);
        int firstPort = await first.WaitForPortAsync();
        await using SampleProcess second = SampleProcess.Start("ArenaServer", "--port", "0", "--node", "2", "--database", database);
        int secondPort = await second.WaitForPortAsync();
        await using var connector = new PlayChatConnector(FrameFormat.Packet(), ArenaPackets.All, static router =>
        {
            router.MapPacket<ArenaState>(static (_, _) => { });
            router.MapPacket<ArenaEvent>(static (_, _) => { });
            router.MapPacket<Position>(static (_, _) => { });
        });
        Connection ann = await connector.ConnectAsync("127.0.0.1", firstPort);
        JoinAnswer seat = await ann.RequestAsync<JoinAnswer>(new Join("ann"), Hang.Guard);
        await using SampleProcess bots = SampleProcess.Start("ArenaServer", "--bots", "4", "--port", $"{secondPort}");
        string taken = await bots.WaitForLineAsync(static line => ScoreOf(line) >= EnoughCoins);
        string name = NameOf(taken);

        await first.KillAsync();
        await bots.WaitForLineAsync(static line => line.EndsWith("ann has left", StringComparison.Ordinal));
        int before = bots.Lines.Count;
        string next = await bots.WaitForLineAsync(line => ScoreOf(line) > 0 && NameOf(line) == name, from: before);

        Assert.Null(seat.Refusal);
        Assert.InRange(ScoreOf(next), EnoughCoins - LostCoins + 1, int.MaxValue);
        bots.Interrupt();
        Assert.Equal(0, await bots.WaitForExitAsync());
        Assert.Equal(0, await second.StopAsync());
    }

    private static async Task RecordAsync(string database)
    {
        string folder = Directory.CreateTempSubdirectory("playchat-").FullName;
        await using SampleProcess first = SampleProcess.Start(
            "ArenaServer", "--port", "0", "--node", "1", "--database", database, "--record", folder);
        int firstPort = await first.WaitForPortAsync();
        await using SampleProcess second = SampleProcess.Start("ArenaServer", "--port", "0", "--node", "2", "--database", database);
        int secondPort = await second.WaitForPortAsync();
        await using SampleProcess here = SampleProcess.Start("ArenaServer", "--bots", "20", "--cut", "1", "--port", $"{firstPort}");
        await using SampleProcess there = SampleProcess.Start("ArenaServer", "--bots", "20", "--cut", "1", "--port", $"{secondPort}");
        await here.WaitForLineAsync(static line => line.EndsWith(" is back in its seat", StringComparison.Ordinal), from: 150);
        Assert.Equal(0, await first.StopAsync());

        RoomReplayResult<ArenaRoom> result = await RoomReplay.RunAsync<ArenaRoom>(
            Assert.Single(Directory.GetFiles(folder)), static server => server.UseArena());

        Assert.True(result.Divergence is null, result.ToString());
        Assert.InRange(result.Ticks, 20, int.MaxValue);
        Assert.Equal(40, result.Room.MemberCount);
        Directory.Delete(folder, recursive: true);
    }

    /// <summary>The number of coins that a line tells of; 0 if it is about something else.</summary>
    private static int ScoreOf(string line) =>
        line.Split(" has taken the coin: ") is [_, { } score] && int.TryParse(score, CultureInfo.InvariantCulture, out int coins)
            ? coins
            : 0;

    private static string NameOf(string line) => line.Split(" has taken the coin: ")[0].Split(' ')[^1];

    private static async Task ExecuteAsync(string database, string sql)
    {
        await using NpgsqlDataSource source = NpgsqlDataSource.Create(database);
        await using NpgsqlCommand command = source.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }
}
