using System.Text.RegularExpressions;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Packaging.Tests;

/// <summary>Does what a document says, in an empty folder, with settings of dotnet's own.</summary>
/// <param name="feed">The folder of the packages.</param>
/// <param name="port">Where the server listens instead of on the document's port.</param>
internal sealed partial class Guide(string feed, int port) : IAsyncDisposable
{
    // Not a guard against hanging alone: packages are restored and programs built.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(5);

    private readonly TemporaryDirectory _folder = new();
    private readonly TemporaryDirectory _home = new();
    private readonly Dictionary<string, ProgramProcess> _programs = new(StringComparer.Ordinal);
    private string? _current;

    /// <summary>Where the next command runs.</summary>
    public string Current => _current ?? _folder.Path;

    public async Task TryAsync(GuideStep step)
    {
        if (Step().Match(step.What) is not { Success: true } match)
        {
            throw new InvalidOperationException($"There is no step '{step.What}'.");
        }

        string file = match.Groups["file"].Value;
        string name = match.Groups["name"].Value;
        string text = match.Groups["text"].Value;
        switch (match.Groups["verb"].Value)
        {
            case "run":
                foreach (string command in step.Text)
                {
                    await RunAsync(command);
                }

                break;
            case "write":
                await WriteAsync(file, step.Text);
                break;
            case "insert into":
                await InsertAsync(file, match.Groups["place"].Value == "after", text, step.Text);
                break;
            case "start":
                _programs.Add(name, Start(Assert.Single(step.Text)));
                await ShowsAsync(name, text);
                break;
            case "type into":
                await _programs[name].TypeAsync(Assert.Single(step.Text));
                await ShowsAsync(match.Groups["other"].Value, text);
                break;
            case "stop":
                await StopAsync();
                break;
        }
    }

    /// <summary>Runs a command to its end.</summary>
    /// <returns>What it printed.</returns>
    public async Task<string> RunAsync(string command, int exitCode = 0)
    {
        if (command.StartsWith("cd ", StringComparison.Ordinal))
        {
            _current = Path.Combine(Current, command[3..]);
            return "";
        }

        await using ProgramProcess program = Start(command);
        int ended = await program.Exited.WaitAsync(s_patience);
        Assert.True(ended == exitCode, $"{command}: {program.Describe()}");
        return string.Join('\n', program.OutputLines);
    }

    /// <summary>Writes a file; the document's folder of packages is that of the test.</summary>
    public Task WriteAsync(string file, IEnumerable<string> lines) =>
        File.WriteAllLinesAsync(Path.Combine(Current, file),
            lines.Select(line => line.Replace("/path/to/PlayChat/artifacts/packages", feed, StringComparison.Ordinal)));

    public async ValueTask DisposeAsync()
    {
        foreach (ProgramProcess program in _programs.Values)
        {
            await program.DisposeAsync();
        }

        _home.Dispose();
        _folder.Dispose();
    }

    private async Task InsertAsync(string file, bool after, string place, IReadOnlyList<string> lines)
    {
        string path = Path.Combine(Current, file);
        List<string> all = [.. await File.ReadAllLinesAsync(path)];
        int at = all.FindIndex(line => line.Contains(place, StringComparison.Ordinal));
        Assert.True(at >= 0, $"{file} has no line with '{place}'.");
        all.InsertRange(after ? at + 1 : at, lines);
        await File.WriteAllLinesAsync(path, all);
    }

    private async Task ShowsAsync(string name, string text)
    {
        for (DateTime end = DateTime.UtcNow + s_patience; ;)
        {
            try
            {
                await _programs[name].WaitForLineAsync(line => line.Contains(text, StringComparison.Ordinal));
                return;
            }
            catch (TimeoutException) when (DateTime.UtcNow < end)
            {
                // `dotnet run` may be building on a busy machine.
            }
        }
    }

    /// <summary>What a stop of the system does: clients first, so that none of them misses its server.</summary>
    private async Task StopAsync()
    {
        foreach ((string name, ProgramProcess program) in _programs.OrderBy(static program => program.Key == "server"))
        {
            if (!program.Exited.IsCompleted)
            {
                program.Terminate();
            }

            await program.WaitForExitAsync();
            Assert.True(name != "server"
                || program.OutputLines.Any(static line => line.Contains("Stopped.", StringComparison.Ordinal)), program.Describe());
            await program.DisposeAsync();
        }

        _programs.Clear();
    }

    private ProgramProcess Start(string command)
    {
        string[] words = command.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        Assert.Contains(words[0], (string[])["dotnet", "npm", "npx"], StringComparer.Ordinal);
        string packages = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        return ProgramProcess.Start("/usr/bin/env", Current,
        [
            $"DOTNET_CLI_HOME={_home.Path}", // templates are installed there
            $"NUGET_PACKAGES={packages}",
            "DOTNET_NOLOGO=1",
            "DOTNET_CLI_TELEMETRY_OPTOUT=1",
            "UseSharedCompilation=true", // a compiler of its own for each project takes 15 % longer
            // Other servers of the build would hold on to what we read of the commands.
            "MSBUILDDISABLENODEREUSE=1",
            "DOTNET_CLI_USE_MSBUILD_SERVER=0",
            .. words,
            .. words is ["dotnet", "new", "playchat-server", ..]
                && !words.Contains("--port", StringComparer.Ordinal) ? (string[])["--port", $"{port}"] : [],
        ]);
    }

    [GeneratedRegex(
        "^((?<verb>run|stop)|(?<verb>write) (?<file>.+)|(?<verb>insert into) (?<file>[^ ]+) (?<place>after|before) "
            + "(?<text>.+)|(?<verb>start) (?<name>[^ ]+); wait for (?<text>.+)"
        + "|(?<verb>type into) (?<name>[^ ]+); (?<other>[^ ]+) shows (?<text>.+))$",
        RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex Step();
}
