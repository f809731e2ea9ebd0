using System.Diagnostics;
using System.Globalization;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>The real server in a terminal of its own, by <c>script</c> of util-linux, which can be closed.</summary>
internal sealed class TerminalServer : IAsyncDisposable
{
    public const string SkipReason = "This system has no /usr/bin/script, which makes a terminal.";

    private const string Script = "/usr/bin/script";
    private const string PidLine = "pid ";

    private readonly TemporaryDirectory _folder;
    private readonly Process _process;

    private readonly Task _ended;

    private TerminalServer(ServerProcess server, TemporaryDirectory folder, Process process, Task ended)
    {
        Server = server;
        _folder = folder;
        _process = process;
        _ended = ended;
    }

    public static bool IsSupported => OperatingSystem.IsLinux() && File.Exists(Script);

    /// <summary>The server; its program is the terminal, which shows what the server prints.</summary>
    public ServerProcess Server { get; }

    /// <summary>Completes when the server's process has ended.</summary>
    public Task Ended => _ended.WaitAsync(TestTimeouts.Hang);

    public static async Task<TerminalServer> StartAsync(params string[] options)
    {
        var folder = new TemporaryDirectory();
        string pipe = folder.Combine("ended");
        using (Process made = ChildProcess.Start(new ProcessStartInfo("mkfifo", [pipe])))
        {
            await made.WaitForExitAsync();
        }

        // The server inherits the pipe, which ends when the process does, whoever is its parent by then.
        Task ended = Task.Run(() => File.ReadAllText(pipe));
        ServerProcess server = await ServerProcess.StartByAsync(
            folder.Path,
            (program, arguments) => (Script, ["-qec", $"echo {PidLine}$$; exec {Quote([program, .. arguments])} 3>{pipe}", "/dev/null"]),
            options);
        string line = await server.Program.WaitForLineAsync(static line => line.StartsWith(PidLine, StringComparison.Ordinal));
        return new TerminalServer(
            server, folder, Process.GetProcessById(int.Parse(line[PidLine.Length..], CultureInfo.InvariantCulture)), ended);
    }

    /// <summary>Sends SIGHUP to the server itself.</summary>
    public void HangUp() => PosixSignals.HangUp(_process.Id);

    /// <summary>Closes the terminal, as a window that is closed or a lost ssh session does.</summary>
    public Task CloseTerminalAsync()
    {
        Server.Program.KillAlone();
        return Server.Program.WaitForExitAsync();
    }

    public async ValueTask DisposeAsync()
    {
        // A server that did not end when the test wanted it to is not in the process tree of its closed terminal.
        _process.Kill();
        await Server.DisposeAsync();
        await Ended;
        _process.Dispose();
        _folder.Dispose();
    }

    private static string Quote(IEnumerable<string> words) => string.Join(' ', words.Select(static word => $"'{word}'"));
}
