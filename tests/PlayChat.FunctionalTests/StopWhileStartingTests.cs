using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PlayChat.FunctionalTests.Harness;
using PlayChat.Storage.Postgres;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>Whoever asks a server that still starts to stop gets a stop, not a stack trace.</summary>
public sealed class StopWhileStartingTests
{
    [Theory]
    [InlineData("Postgres", "Host=127.0.0.1;Port={0};Username=nobody;Password=x;Database=nothing;Timeout=300")]
    [InlineData(
        "SqlServer", "Server=127.0.0.1,{0};User Id=nobody;Password=x;Database=nothing;Connect Timeout=300", Traits = ["Tier", "Full"])]
    public async Task SIGTERM_while_the_database_does_not_answer_ends_with_exit_code_0_and_one_line(string provider, string connection)
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        using var folder = new TemporaryDirectory();
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        int port = ((IPEndPoint)silent.LocalEndpoint).Port;
        await using var program = ProgramProcess.Start(
            ProgramFile.Server,
            folder.Path,
            "--port",
            "0",
            $"--Storage:Provider={provider}",
            $"--Storage:ConnectionString={string.Format(CultureInfo.InvariantCulture, connection, port)}");

        using TcpClient asking = await silent.AcceptTcpClientAsync().WaitAsync(TestTimeouts.Hang);

        await AssertStopsAsync(program);
    }

    [Fact]
    [Trait("Tier", "Full")]
    public async Task SIGTERM_while_a_statement_is_not_answered_ends_with_exit_code_0_and_one_line()
    {
        Assert.SkipUnless(PosixSignals.AreSupported, PosixSignals.SkipReason);
        Assert.SkipUnless(PostgresSpace.IsAvailable, PostgresSpace.SkipReason);
        await using PostgresSpace space = await PostgresSpace.CreateAsync();
        await using (var store = new PostgresChatStore(space.ConnectionString))
        {
            await store.InitializeAsync();
        }

        await using TableLock held = await TableLock.TakeAsync(space, "playchat_schema");
        using var folder = new TemporaryDirectory();
        await using var program = ProgramProcess.Start(
            ProgramFile.Server,
            folder.Path,
            "--port",
            "0",
            "--Storage:Provider=Postgres",
            $"--Storage:ConnectionString={space.ConnectionString};Command Timeout=0");
        await held.WaitUntilWantedAsync();

        await AssertStopsAsync(program);
    }

    /// <summary>The driver would wait for minutes, which no test does: so it is the signal that ends the process.</summary>
    private static async Task AssertStopsAsync(ProgramProcess program)
    {
        program.Terminate();
        int exitCode = await program.WaitForExitAsync();

        Assert.True(exitCode == 0, program.Describe());
        // The log, whose line lists the settings that are not the defaults, has a thread of its own: either line may be the first.
        Assert.Equal(2, program.OutputLines.Count);
        Assert.Single(program.OutputLines, static line => line.Contains("starts. Settings other", StringComparison.Ordinal));
        Assert.Contains("Stopped before it had started.", program.OutputLines, StringComparer.Ordinal);
        Assert.Empty(program.ErrorLines);
    }
}
