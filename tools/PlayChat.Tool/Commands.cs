using System.CommandLine;
using PlayChat.State;

namespace PlayChat.Tool;

/// <summary>The commands and what they do.</summary>
internal static class Commands
{
    private const string Assembly = "ASSEMBLY";
    private const string Set = "--set";
    private const string Check = "--check";
    private const string Watching = "--watch";

    public static RootCommand Create()
    {
        var assembly = new Argument<string>(Assembly) { Description = "A compiled server, or its project of messages: the .dll in bin." };
        var set = new Option<string?>(Set)
        {
            Description = "The class with [JsonPackets], if there are several.",
            HelpName = "NAME",
        };
        var check = new Option<bool>(Check) { Description = "Writes nothing. Exit code 1 and their names if files are not up to date." };
        var watch = new Option<bool>(Watching) { Description = "Writes again after each build, until Ctrl+C." };
        var longs = new Option<string>("--long")
        {
            Description = "What a 64-bit integer is in TypeScript. As number, integers beyond 2^53 are refused.",
            DefaultValueFactory = static _ => TypeScript.NameOf(Longs.BigInt),
        };
        longs.AcceptOnlyFromAmong([.. Enum.GetValues<Longs>().Select(TypeScript.NameOf)]);
        Option<string> Output(string description, string name) =>
            new("--output", "-o") { Description = description, HelpName = name, Required = true };

        Option<string> folder = Output("The folder of messages.ts and client.ts, and of states.ts if there are states.", "FOLDER");
        var typescript = new Command("typescript", "Writes a typed client for TypeScript, on @playchat/core.")
        {
            assembly, folder, longs, set, check, watch,
        };
        typescript.SetAction((result, cancellationToken) => RunAsync(
            result,
            contract =>
            {
                string header = OutputFiles.Marker + $"typescript\" from {contract.Source}. Do not edit.";
                bool hasPackets = contract.Packets.Count > 0;
                Longs width = Enum.Parse<Longs>(result.GetValue(longs)!, ignoreCase: true);
                string PathOf(string file) => Path.Combine(result.GetValue(folder)!, file);
                return
                [
                    (PathOf("messages.ts"), hasPackets ? new MessagesWriter(contract, width).Write(header) : null),
                    (PathOf("client.ts"), hasPackets ? ClientWriter.Write(contract, header) : null),
                    (PathOf("states.ts"), contract.States.Count > 0 ? StateTypes.WriteTypeScript(contract.States, header) : null),
                ];
            },
            cancellationToken));

        Option<string> file = Output("The file.", "FILE");
        var asyncApi = new Command("asyncapi", "Writes an AsyncAPI 3 document of the messages.") { assembly, file, set, check, watch };
        asyncApi.SetAction((result, cancellationToken) => RunAsync(
            result, contract => [(result.GetValue(file)!, AsyncApiWriter.Write(contract))], cancellationToken));

        return new RootCommand(
            "Writes clients and descriptions of a PlayChat server from its compiled messages, of which it runs no code. Replays "
                + "recordings of its rooms.")
        {
            typescript, asyncApi, Replay.Create(),
        };
    }

    private static async Task<int> RunAsync(
        ParseResult result, Func<Contract, IReadOnlyList<(string Path, string? Content)>> write, CancellationToken cancellationToken)
    {
        TextWriter output = result.InvocationConfiguration.Output;
        TextWriter error = result.InvocationConfiguration.Error;
        string source = result.GetValue<string>(Assembly)!;
        if (!result.GetValue<bool>(Watching))
        {
            return Run();
        }

        await Watch.RunAsync(source, () => Run(), cancellationToken);
        return 0;

        int Run()
        {
            try
            {
                IReadOnlyList<(string Path, string? Content)> files = write(ContractReader.Read(source, result.GetValue<string?>(Set)));
                if (!result.GetValue<bool>(Check))
                {
                    foreach (string path in OutputFiles.Write(files))
                    {
                        output.WriteLine($"Wrote {path}");
                    }

                    return 0;
                }

                List<string> stale = [.. OutputFiles.Stale(files).Select(static stale => stale.Path)];
                stale.ForEach(path => error.WriteLine($"playchat: {path} is not up to date. Run without --check."));
                return stale.Count > 0 ? 1 : 0;
            }
            catch (Exception e) when (e is ContractException or IOException or UnauthorizedAccessException or BadImageFormatException)
            {
                error.WriteLine("playchat: " + e switch
                {
                    BadImageFormatException => $"{source} is no .NET assembly. Give the .dll in bin.",
                    FileNotFoundException when e.Message.Split('\'', ',') is [_, var missing, ..] =>
                        $"{source} refers to {missing}, which is neither in its folder nor among the NuGet packages of its .deps.json. "
                            + "Run dotnet build, and give the file in bin, not a copy.",
                    _ => e.Message,
                });
                return 1;
            }
        }
    }
}
