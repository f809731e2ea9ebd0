namespace PlayChat.Server.Tests.Model;

/// <summary>Random players in rooms that last, and with direct messages: the servers do what a plain model says.</summary>
public sealed class ModelTests
{
    // Above 1000 players also write to each other alone, and rooms have capacities, passwords and slow mode.
    // In seeds 13 and 132 a player with a second device in the room leaves, is kicked or is banned; in 1001 a room becomes too small.
    public static TheoryData<int> FewSeeds => [2, 3, 13, 132, 1001, 1002];

    // The last ones are those above 92 that once found a fault.
    public static TheoryData<int> ManySeeds =>
        [.. Enumerable.Range(1, 92).Except([2, 3, 13]), 109, 167, 222, 258, 278, 292, 302, .. Enumerable.Range(1003, 60)];

    [Theory]
    [MemberData(nameof(FewSeeds))]
    public Task A_server_does_what_the_model_says(int seed) => RunAsync(seed, nodes: 1);

    [Theory]
    [MemberData(nameof(FewSeeds))]
    public Task A_cluster_does_what_the_model_says(int seed) => RunAsync(seed, nodes: 3);

    [Theory]
    [MemberData(nameof(ManySeeds))]
    [Trait("Tier", "Full")]
    public Task A_server_does_what_the_model_says_for_many_seeds(int seed) => RunAsync(seed, nodes: 1);

    [Theory]
    [MemberData(nameof(ManySeeds))]
    [Trait("Tier", "Full")]
    public Task A_cluster_does_what_the_model_says_for_many_seeds(int seed) => RunAsync(seed, nodes: 3);

    private static async Task RunAsync(int seed, int nodes)
    {
        bool canResume = seed % 2 == 0;
        await using var servers = new ModelServers(
        [
            "--Rooms:Lasting=true",
            $"--Rooms:HistoryMessages={(seed % 4 < 2 ? 1000 : 8)}", // the store has the rest
            "--ChatLog:FlushInterval=00:00:00.001",
            "--Sessions:ReturnWithin=00:00:00",
            "--PlayChat:Sessions:MaxPerUser=16",
            $"--PlayChat:Sessions:ResumeWindow={(canResume ? "01:00:00" : "00:00:00")}",
        ]);
        await servers.StartAsync(nodes);
        await new ModelRun(seed, servers, canResume, isWide: seed > 1000).RunAsync(operations: seed > 1000 ? 90 : 60);
    }
}
