using System.CommandLine;
using System.Globalization;
using System.Reflection;
using System.Runtime.Loader;
using System.Text.Json.Nodes;

namespace PlayChat.Tool;

/// <summary>The command that replays the recording of a room. Unlike the others it runs the code of the assembly.</summary>
internal static class Replay
{
    private const string Package = "PlayChat.Recording";
    private const string EntryType = Package + ".ReplayCommand";
    private const string EntryMethod = "RunAsync";
    private const int Diverged = 1;
    private const int Failed = 2;

    public static Command Create()
    {
        var file = new Argument<string>("FILE") { Description = "The recording." };
        var assembly = new Option<string>("--assembly", "-a")
        {
            Description = "The compiled server, with the package PlayChat.Recording: the .dll in bin. Its code runs.",
            HelpName = "ASSEMBLY",
            Required = true,
        };
        var configure = new Option<string?>("--configure")
        {
            Description = "The static method that sets up a PlayChatServer, if there are several: its packets and handlers.",
            HelpName = "CLASS.METHOD",
        };
        var json = new Option<bool>("--json") { Description = "Writes the result as JSON." };
        var command = new Command(
            "replay", "Replays a recording of a room on this build. Exit code 0: identical, 1: it differs, 2: it does not run.")
        {
            file, assembly, configure, json,
        };
        command.SetAction((result, cancellationToken) => RunAsync(
            result,
            result.GetValue(file)!,
            result.GetValue(assembly)!,
            result.GetValue(configure),
            result.GetValue(json),
            cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(
        ParseResult result, string file, string assembly, string? configure, bool asJson, CancellationToken cancellationToken)
    {
        try
        {
            string json = await RunAsync(file, assembly, configure, cancellationToken);
            JsonNode replay = JsonNode.Parse(json)!;
            result.InvocationConfiguration.Output.WriteLine(asJson ? json : Describe(replay));
            return (bool)replay["isIdentical"]! ? 0 : Diverged;
        }
        catch (Exception e) when (e is not OperationCanceledException) // mostly of the game's code, which runs here
        {
            result.InvocationConfiguration.Error.WriteLine($"playchat: {e.Message}");
            return Failed;
        }
    }

    private static Task<string> RunAsync(string file, string assembly, string? configure, CancellationToken cancellationToken)
    {
        string path = Path.GetFullPath(assembly);
        if (!File.Exists(path))
        {
            throw new ContractException($"There is no file {assembly}. Run dotnet build, and give the file in bin.");
        }

        var context = new GameContext(path);
        Assembly game = context.LoadFromAssemblyPath(path);
        Assembly recording;
        try
        {
            recording = context.LoadFromAssemblyName(new AssemblyName(Package));
        }
        catch (FileNotFoundException)
        {
            throw new ContractException($"{assembly} has no {Package} beside it. Add the package to the project, and build it.");
        }

        MethodInfo run = recording.GetType(EntryType)?.GetMethod(EntryMethod, BindingFlags.Static | BindingFlags.NonPublic)
            ?? throw new ContractException($"The {Package} of {assembly} is of another version. Use playchat of that version.");
        return (Task<string>)run.Invoke(
            null, BindingFlags.DoNotWrapExceptions, null, [file, game, configure, cancellationToken], CultureInfo.InvariantCulture)!;
    }

    private static string Describe(JsonNode replay)
    {
        string text = (string)replay["text"]!;
        JsonArray exceptions = replay["exceptions"]!.AsArray();
        foreach (JsonNode? fault in exceptions)
        {
            string first = ((string)fault!["exception"]!).Split('\n')[0].TrimEnd();
            text += $"{Environment.NewLine}{fault["where"]}, {fault["during"]} threw {first}";
        }

        return (string?)replay["end"] == "Unknown" ? $"{text}{Environment.NewLine}The file has no end: it is torn or damaged." : text;
    }

    /// <summary>The assemblies of the game, its PlayChat included; the runtime is this program's.</summary>
    private sealed class GameContext(string path) : AssemblyLoadContext
    {
        private readonly AssemblyDependencyResolver _resolver = new(path);

        protected override Assembly? Load(AssemblyName assemblyName) =>
            _resolver.ResolveAssemblyToPath(assemblyName) is { } file ? LoadFromAssemblyPath(file) : null;

        protected override nint LoadUnmanagedDll(string unmanagedDllName) =>
            _resolver.ResolveUnmanagedDllToPath(unmanagedDllName) is { } file ? LoadUnmanagedDllFromPath(file) : 0;
    }
}
