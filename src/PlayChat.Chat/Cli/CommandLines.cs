using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;

namespace PlayChat.Chat.Cli;

/// <summary>Reads and runs the command line of <c>accounts</c>, <c>bans</c> or <c>admin</c>.</summary>
internal static class CommandLines
{
    /// <summary>Runs a command with what follows its name, prints its help with the notes below it, or says in one line what is wrong with
    /// the command line.</summary>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public static async Task<int> RunAsync(
        Command command, IReadOnlyList<string> args, TextWriter output, TextWriter error, string notes = "")
    {
        var root = new RootCommand { command };
        HelpOption help = root.Options.OfType<HelpOption>().Single();
        help.Action = new HelpWithNotes((HelpAction)help.Action!, notes);

        // A name may begin with @, which would name a file of arguments.
        ParseResult result = root.Parse([command.Name, .. args], new ParserConfiguration { ResponseFileTokenReplacer = null });
        if (result.Errors.Count > 0 && result.Action is not HelpWithNotes)
        {
            await error.WriteLineAsync($"{Explain(result)} {command.Name} --help says more.");
            return ExitCode.BadArguments;
        }

        return await result.InvokeAsync(
            new InvocationConfiguration { Output = output, Error = error, EnableDefaultExceptionHandler = false });
    }

    /// <summary>Lists what may complete a command line: what a shell with dotnet-suggest asks for by <c>[suggest:POSITION]</c> and the
    /// command line as one text.</summary>
    public static int Suggest(IReadOnlyList<string> args, TextWriter output, params Command[] commands)
    {
        var root = new RootCommand();
        Array.ForEach(commands, root.Add);
        return root.Parse(args).Invoke(new InvocationConfiguration { Output = output });
    }

    /// <summary>Whether a first argument asks for <see cref="Suggest"/>.</summary>
    public static bool IsSuggest(string? argument) => argument?.StartsWith("[suggest", StringComparison.Ordinal) == true;

    // The library says "Required command was not provided" when a word is no command, and when there is none.
    private static string Explain(ParseResult result)
    {
        CommandResult at = result.CommandResult;
        string path = at.Command.Name;
        for (SymbolResult? above = at.Parent; above is CommandResult { Command: not RootCommand and var command }; above = above.Parent)
        {
            path = $"{command.Name} {path}";
        }

        string commands = string.Join(", ", at.Command.Subcommands.Select(static one => one.Name));
        string arguments = string.Join(' ', at.Command.Arguments.Select(static one => one.Name));
        string? unknown = result.UnmatchedTokens.Count > 0 ? result.UnmatchedTokens[0] : null;
        Argument? missing = at.Command.Arguments.FirstOrDefault(argument =>
            argument.Arity.MinimumNumberOfValues > 0 && at.GetResult(argument) is not { Tokens.Count: > 0 });
        return unknown?.StartsWith('-') == true ? $"There is no option {unknown.Split('=')[0]} of {path}."
            : unknown is not null && commands.Length > 0 ? $"'{unknown}' is not a command of {path}. Use one of {commands}."
            : unknown is not null && arguments.Length > 0 ? $"{path} takes {arguments} alone (in quotes if it has spaces)."
            : unknown is not null ? $"{path} takes no argument."
            : at.Command.Action is null ? $"{path} needs a command: one of {commands}."
            : missing is not null ? $"{path} needs {missing.Name}: {missing.Description}"
            : result.Errors[0].SymbolResult is OptionResult { Tokens.Count: 0 } option ? $"{option.Option.Name} needs a value."
            : result.Errors[0].Message;
    }

    private sealed class HelpWithNotes(HelpAction generated, string notes) : SynchronousCommandLineAction
    {
        public override int Invoke(ParseResult parseResult)
        {
            int code = generated.Invoke(parseResult);
            parseResult.InvocationConfiguration.Output.Write(notes.ReplaceLineEndings("\n"));
            return code;
        }
    }
}
