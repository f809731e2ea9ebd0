using PlayChat.TestUtilities.Processes;

namespace PlayChat.Testing.Tests;

/// <summary>The program that runs a server and its clients in simulated worlds.</summary>
public sealed class SimulationTests
{
    [Fact]
    public async Task Worlds_of_fresh_seeds_and_of_those_that_once_failed_break_no_rule()
    {
        (int exitCode, string output) = await RunAsync(
            "--seeds", "15", "--seed-file", Repository.PathOf("tests/PlayChat.Simulation/seeds.txt"));

        Assert.True(exitCode == 0, output);
    }

    [Fact]
    public async Task Clusters_of_fresh_seeds_and_of_those_that_once_failed_break_no_rule()
    {
        (int exitCode, string output) = await RunAsync(
            "--seeds", "5", "--nodes", "3", "--seed-file", Repository.PathOf("tests/PlayChat.Simulation/cluster-seeds.txt"));

        Assert.True(exitCode == 0, output);
    }

    [Fact]
    public async Task Worlds_of_the_chat_break_no_rule()
    {
        (int exitCode, string output) = await RunAsync("--chat", "--seeds", "5");

        Assert.True(exitCode == 0, output);
    }

    [Fact]
    public async Task Clusters_of_the_chat_that_once_failed_break_no_rule()
    {
        (int exitCode, string output) = await RunAsync(
            "--chat", "--nodes", "3", "--seeds", "1", "--first", "2",
            "--seed-file", Repository.PathOf("tests/PlayChat.Simulation/chat-cluster-seeds.txt"));

        Assert.True(exitCode == 0, output);
    }

    [Theory]
    [InlineData("--seed 169", "got packet")]
    [InlineData("--seed 2003", "got packet")] // with a second thread
    [InlineData("--seed 3001", "got packet")] // with one that is never idle
    [InlineData("--seed 17 --nodes 3", "got packet")]
    [InlineData("--chat --seed 2003", "says")]
    [InlineData("--chat --seed 73 --nodes 3", "says")]
    public async Task The_same_seed_gives_the_same_trace_on_two_runs(string world, string expected)
    {
        string[] arguments = [.. world.Split(' '), "--chaos", "20", "--trace"];

        (int exitCode, string first) = await RunAsync(arguments);
        (_, string second) = await RunAsync(arguments);

        Assert.Equal(0, exitCode);
        Assert.Contains(expected, first, StringComparison.Ordinal);
        Assert.Equal(first, second);
    }

    [Fact]
    public async Task A_fault_that_is_built_in_is_found_and_told_with_its_seed_and_its_last_events()
    {
        (int exitCode, string output) = await RunAsync("--seeds", "50", "--first", "1", "--chaos", "20", "--variant", "RepeatedSend");

        Assert.Equal(1, exitCode);
        Assert.Contains("broke a rule", output, StringComparison.Ordinal);
        Assert.Contains("Its last events:", output, StringComparison.Ordinal);
        Assert.Contains("--trace --variant RepeatedSend", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--sead 1", "Unknown option --sead")]
    [InlineData("--seeds", "--seeds needs a value")]
    [InlineData("--seeds many", "--seeds is 'many'; it must be a number")]
    [InlineData("--trace", "give its seed by --seed")]
    [InlineData("--variant Nothing", "There is no variant 'Nothing'")]
    [InlineData("--seed-file nowhere.txt", "The file of seeds is not usable")]
    public async Task Invalid_arguments_are_named(string arguments, string expected)
    {
        (int exitCode, string output) = await RunAsync(arguments.Split(' '));

        Assert.Equal(2, exitCode);
        Assert.Contains(expected, output, StringComparison.Ordinal);
    }

    private static async Task<(int ExitCode, string Output)> RunAsync(params string[] arguments)
    {
        await using ProgramProcess program = ProgramProcess.Start(
            ProgramFile.Find("PlayChat.Simulation"), Path.GetTempPath(), arguments);
        int exitCode = await program.Exited;
        return (exitCode, string.Join('\n', program.OutputLines.Concat(program.ErrorLines)));
    }
}
