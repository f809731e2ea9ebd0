using System.CommandLine;
using System.Security.Cryptography;
using PlayChat.Chat.Operations;

namespace PlayChat.Chat.Cli;

/// <summary><c>keys …</c>: makes keys with which other programs use the operations endpoint.</summary>
internal sealed class KeysCommand
{
    /// <summary>The first argument of the program that means this.</summary>
    public const string Word = "keys";

    private const int KeyBytes = 32;

    private readonly TextWriter _output;
    private readonly TextWriter _error;

    public KeysCommand(TextWriter output, TextWriter error)
    {
        (_output, _error) = (output, error);
        Argument<string> name = new("NAME") { Description = "The program that gets the key." };
        Option<string> scopes = new("--scopes")
        {
            Description = $"What the key may do, separated by commas: {string.Join(", ", OperationsScope.All)}.",
            Required = true,
        };
        var make = new Command("new", "Makes a key, and prints it once, with the settings that a server needs to take it.")
        {
            name, scopes,
        };
        make.Validators.Add(result =>
        {
            if (result.GetValue(name) is { } given && !OperationsKey.IsName(given))
            {
                result.AddError($"'{given}' is no name of a key: it has up to 64 letters, digits, dots, hyphens and underscores.");
            }
            else if (OperationsScope.Parse(result.GetValue(scopes) ?? "") is null)
            {
                result.AddError($"--scopes is '{result.GetValue(scopes)}'; allowed are some of {string.Join(", ", OperationsScope.All)}.");
            }
        });
        make.SetAction(result => Make(result.GetValue(name)!, result.GetValue(scopes)!));
        Command = new Command(Word, "Keys with which other programs use the operations endpoint.") { make };
    }

    public Command Command { get; }

    /// <param name="args">What follows <see cref="Word"/>.</param>
    /// <returns>One of <see cref="ExitCode"/>.</returns>
    public Task<int> RunAsync(IReadOnlyList<string> args) => CommandLines.RunAsync(Command, args, _output, _error);

    private void Make(string name, string scopes)
    {
        string key = "pck_" + Convert.ToHexString(RandomNumberGenerator.GetBytes(KeyBytes));
        _output.WriteLine(
            $"""
            The key of {name}, which is printed this once: give it to the program, which sends it as 'Authorization: Bearer KEY'.
              {key}
            Set this where the server has its settings (with the next free number for 0), and restart it:
              PLAYCHAT_Operations__Keys__0__Name={name}
              PLAYCHAT_Operations__Keys__0__Hash={Convert.ToHexString(OperationsKey.HashOf(key))}
              PLAYCHAT_Operations__Keys__0__Scopes={scopes}
            """.ReplaceLineEndings("\n"));
    }
}
