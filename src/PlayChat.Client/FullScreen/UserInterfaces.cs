using Spectre.Console;

namespace PlayChat.Client.FullScreen;

internal static class UserInterfaces
{
    // What the full screen needs by default: room for the list of rooms, messages and the list of members.
    private const int MinColumns = 80;
    private const int MinRows = 20;

    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false);

    /// <summary>Whatever the system's encoding is: what goes in and out is UTF-8, without a byte order mark.</summary>
    public static void UseUtf8()
    {
        try
        {
            Console.InputEncoding = s_utf8;
            Console.OutputEncoding = s_utf8;
        }
        catch (IOException)
        {
            // Windows without a console: input and output are redirected, and the streams are UTF-8 below.
        }
    }

    /// <summary>The input; where it is redirected, a byte order mark at its beginning is no part of it.</summary>
    public static TextReader OpenInput() => Console.IsInputRedirected
        ? new StreamReader(Console.OpenStandardInput(), s_utf8, detectEncodingFromByteOrderMarks: true) : Console.In;

    /// <summary>Whether the program's input and output are a terminal that understands sequences.</summary>
    public static bool HasTerminal => IsInteractive && AnsiConsole.Console.Profile.Capabilities.Ansi; // switches them on in Windows

    private static bool IsInteractive => !Console.IsInputRedirected && !Console.IsOutputRedirected;

    /// <summary>The whole window of a terminal that is large enough, or lines.</summary>
    public static IUserInterface Create(ClientOptions options, TextReader input)
    {
        if (!HasTerminal)
        {
            var output = new StreamWriter(Console.OpenStandardOutput(), s_utf8);
            var errors = new StreamWriter(Console.OpenStandardError(), s_utf8);
            return new PlainUserInterface(
                new PipeConsole(input, output, errors, IsInteractive, Console.IsInputRedirected ? null : ReadSecret));
        }

        var terminal = new SystemTerminal();
        bool usesColors = AnsiConsole.Console.Profile.Capabilities.ColorSystem != ColorSystem.NoColors;
        return options.FullScreen ?? (terminal.Columns >= MinColumns && terminal.Rows >= MinRows)
            ? new FullScreenUserInterface(terminal, usesColors, options.Server)
            : new PlainUserInterface(new TerminalConsole(terminal));
    }

    // From a terminal without sequences, on which nothing is drawn.
    private static string ReadSecret() =>
        AnsiConsole.Prompt(new TextPrompt<string>("") { IsSecret = true, Mask = null, AllowEmpty = true });
}
