using System.Globalization;
using System.Text.Json;

namespace PlayChat.TestUtilities.Processes;

/// <summary>The real chat server as a process of its own, on a free port of the loopback, with all its files in a folder of its
/// own.</summary>
public sealed class ServerProcess : IAsyncDisposable
{
    private const string FiguresFile = "kpi.jsonl";

    private static readonly TimeSpan s_figuresInterval = TimeSpan.FromMilliseconds(100);

    /// <summary>Turns the limits off that would hold a test's clients, which are faster than players and have short passwords.</summary>
    public static readonly IReadOnlyList<string> Unlimited =
    [
        "--Sessions:PacketsPerSecond=0",
        "--PlayChat:Connections:BytesPerSecond=0",
        "--PlayChat:Connections:FramesPerSecond=0",
        "--Sessions:RoomsPerMinute=0",
        "--Sessions:PagesPerSecond=0",
        "--Rooms:MaxCreatedPerPlayer=1000000",
        "--Accounts:MinPasswordLength=1",
    ];

    private readonly TemporaryDirectory? _owned;

    private ServerProcess(ProgramProcess program, string directory, TemporaryDirectory? owned)
    {
        Program = program;
        Directory = directory;
        _owned = owned;
    }

    /// <summary>The process.</summary>
    public ProgramProcess Program { get; }

    /// <summary>Where its relative paths begin.</summary>
    public string Directory { get; }

    /// <summary>The port it has taken.</summary>
    public int Port { get; private set; }

    /// <summary>Its database.</summary>
    public string DatabasePath => Path.Combine(Directory, "data", "playchat.db");

    /// <summary>The file to which it writes its figures.</summary>
    public string FiguresPath => Path.Combine(Directory, FiguresFile);

    /// <summary>The folder of its chat log.</summary>
    public string ChatLogDirectory => Path.Combine(Directory, "logs", "chat");

    /// <summary>Starts a server in a new folder, which goes with it, and waits until it listens.</summary>
    /// <param name="options">Its command line, beside what every server of a test gets.</param>
    public static Task<ServerProcess> StartAsync(params string[] options) => StartInAsync(directory: null, options);

    /// <summary>Starts a server in a folder that the caller keeps.</summary>
    /// <param name="directory">Null for a new one, which goes with the server.</param>
    /// <param name="options">Its command line, beside what every server of a test gets.</param>
    public static Task<ServerProcess> StartInAsync(string? directory, params string[] options) =>
        StartByAsync(directory, static (program, arguments) => (program, arguments), options);

    /// <summary>Starts a server of another build.</summary>
    /// <param name="server">Its assembly (.dll) or executable.</param>
    /// <param name="options">Its command line, beside what every server of a test gets.</param>
    public static Task<ServerProcess> StartBuildAsync(string server, params string[] options) =>
        StartAsync(server, directory: null, static (program, arguments) => (program, arguments), options);

    /// <summary>Starts a server by another program, such as one that gives it a terminal.</summary>
    /// <param name="directory">Null for a new one, which goes with the server.</param>
    /// <param name="command">Makes the command to run from the server's own.</param>
    /// <param name="options">Its command line, beside what every server of a test gets.</param>
    public static Task<ServerProcess> StartByAsync(
        string? directory, Func<string, string[], (string Program, string[] Arguments)> command, params string[] options) =>
        StartAsync(ProgramFile.Server, directory, command, options);

    private static async Task<ServerProcess> StartAsync(
        string server, string? directory, Func<string, string[], (string Program, string[] Arguments)> command, string[] options)
    {
        TemporaryDirectory? owned = directory is null ? new TemporaryDirectory() : null;
        string folder = directory ?? owned!.Path;
        string interval = s_figuresInterval.ToString("c", CultureInfo.InvariantCulture);
        // A server with a port of its own would take the default port for browsers, as the server of the next test does.
        string[] web = options.Any(static option => option.StartsWith("--Web:", StringComparison.Ordinal)) ? [] : ["--Web:Enabled=false"];
        (string file, string[] arguments) = ProgramProcess.CommandOf(
            server,
            [
                "--port", "0", "--Kpi:Table=false", $"--Kpi:JsonFile={FiguresFile}", $"--Kpi:Interval={interval}",
                .. web, .. Unlimited, .. options,
            ]);
        (file, arguments) = command(file, arguments);
        var program = ProgramProcess.Start(file, folder, arguments);
        var process = new ServerProcess(program, folder, owned);
        try
        {
            // Listening on 127.0.0.1:7777 (only this machine …, or in JSON: "@m":"Ready in mode Chat on \"127.0.0.1:7777\". Players …
            string line = await program.WaitForLineAsync(static line =>
                line.StartsWith("Listening on ", StringComparison.Ordinal) || line.Contains("\"Ready in mode ", StringComparison.Ordinal));
            string address = line.Split(" on ")[1].Split(' ', ',')[0].Trim('.', '"', '\\');
            process.Port = int.Parse(address[(address.LastIndexOf(':') + 1)..], CultureInfo.InvariantCulture);
            return process;
        }
        catch
        {
            await process.DisposeAsync();
            throw;
        }
    }

    /// <summary>Starts a server that may open only so many files, sockets included. Needs a Unix shell.</summary>
    /// <param name="descriptors">The limit, as of <c>ulimit -n</c>.</param>
    /// <param name="options">Its command line, beside what every server of a test gets.</param>
    public static Task<ServerProcess> StartWithDescriptorsAsync(int descriptors, params string[] options) => StartByAsync(
        directory: null, (program, arguments) => ProgramProcess.WithDescriptors(descriptors, program, arguments), options);

    /// <summary>One of the figures of <see cref="ReadFigures"/>: <c>Figure(figures, "now", "rooms")</c>.</summary>
    public static long Figure(JsonElement figures, string group, string key) => figures.GetProperty(group).GetProperty(key).GetInt64();

    /// <summary>Waits until it has named its port for browsers. It must have one: <c>--Web:Enabled=true --Web:Port=0</c>.</summary>
    public async Task<int> WaitForWebPortAsync()
    {
        string line = await Program.WaitForLineAsync(static line => line.StartsWith("Open http", StringComparison.Ordinal));
        return new Uri(line.Split(' ')[1]).Port;
    }

    /// <summary>Waits until it has named its endpoint for operators. It must have one: <c>--Operations:Enabled=true</c>.</summary>
    public async Task<Uri> WaitForOperationsAsync()
    {
        // "Operations  http://127.0.0.1:43210/", in the banner behind the line that StartAsync awaits.
        string line = await Program.WaitForLineAsync(static line => line.StartsWith("Operations", StringComparison.Ordinal));
        return new Uri(line[line.IndexOf("http", StringComparison.Ordinal)..].Trim());
    }

    /// <summary>SIGTERM, and waits for the end.</summary>
    /// <returns>The exit code.</returns>
    public Task<int> StopAsync()
    {
        Program.Terminate();
        return Program.WaitForExitAsync();
    }

    /// <summary>The newest figures, as <c>KpiJson</c> writes them; complete when the server has stopped.</summary>
    public JsonElement ReadFigures()
    {
        using var stream = new FileStream(FiguresPath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        using var reader = new StreamReader(stream);
        string text = reader.ReadToEnd();

        // A line that is being written has no end yet.
        string last = text[..text.LastIndexOf('\n')].Split('\n')[^1];
        using var document = JsonDocument.Parse(last);
        return document.RootElement.Clone();
    }

    /// <summary>Waits for figures that are as they should be; they are looked at as often as the server writes them.</summary>
    /// <exception cref="TimeoutException">They never were; the message shows the last ones.</exception>
    public async Task<JsonElement> WaitForFiguresAsync(Func<JsonElement, bool> isMeant)
    {
        using var hang = new CancellationTokenSource(TestTimeouts.Hang);
        using var timer = new PeriodicTimer(s_figuresInterval);
        JsonElement figures = ReadFigures();
        while (!isMeant(figures))
        {
            try
            {
                await timer.WaitForNextTickAsync(hang.Token);
            }
            catch (OperationCanceledException e)
            {
                throw new TimeoutException($"The server's figures did not become what was waited for: {figures}", e);
            }

            figures = ReadFigures();
        }

        return figures;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await Program.DisposeAsync();
        _owned?.Dispose();
    }
}
