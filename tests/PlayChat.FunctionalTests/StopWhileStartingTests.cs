using System.Net;
using System.Net.Sockets;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests;

/// <summary>Whoever asks a server that still starts to stop gets a stop, not a stack trace.</summary>
public sealed class StopWhileStartingTests
{
    [Fact]
    public async Task SIGTERM_while_the_database_does_not_answer_ends_with_exit_code_0_and_one_line()
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
            "--Storage:Provider=Postgres",
            $"--Storage:ConnectionString=Host=127.0.0.1;Port={port};Username=nobody;Database=nothing;Timeout=300");

        using TcpClient asking = await silent.AcceptTcpClientAsync().WaitAsync(TestTimeouts.Hang);
        program.Terminate();
        int exitCode = await program.WaitForExitAsync();

        Assert.True(exitCode == 0, program.Describe());
        Assert.Equal("Stopped before it had started.", Assert.Single(program.OutputLines));
        Assert.Empty(program.ErrorLines);
    }
}
