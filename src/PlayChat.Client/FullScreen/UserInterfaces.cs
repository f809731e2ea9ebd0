using System.Text;
using PlayChat.Client.Cli;
using PlayChat.Client.Interaction;
using Spectre.Console;

namespace PlayChat.Client.FullScreen;

/// <summary>Picks the user interface that the program's input and output allow.</summary>
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
    public static TextReader OpenInput() =>
        Console.IsInputRedirected
            ? new StreamReader(Console.OpenStandardInput(), s_utf8, detectEncodingFromByteOrderMarks: true) : TextReader.Null;

    /// <summary>Whether the program's input and output are a terminal that understands sequences.</summary>
    public static bool HasTerminal => !Console.IsInputRedirected && !Console.IsOutputRedirected
        && AnsiConsole.Console.Profile.Capabilities.Ansi;

    /// <summary>The whole window where it is large enough, lines on another terminal, plain lines elsewhere.</summary>
    /// <param name="options">What the command line says.</param>
    /// <param name="redirectedInput">From <see cref="OpenInput"/>.</param>
    public static IUserInterface Create(ClientOptions options, TextReader redirectedInput)
    {
        bool isInteractive = !Console.IsInputRedirected && !Console.IsOutputRedirected;

        // Also switches the sequences on where a Windows console has them off.
        Capabilities capabilities = AnsiConsole.Console.Profile.Capabilities;
        if (isInteractive && !options.Plain && capabilities.Ansi)
        {
            bool usesColors = capabilities.ColorSystem != ColorSystem.NoColors;
            var terminal = new SystemTerminal();
            return options.FullScreen ?? (terminal.Columns >= MinColumns && terminal.Rows >= MinRows)
                ? new FullScreenUserInterface(terminal, usesColors, options.Server)
                : new TerminalUserInterface(terminal, usesColors);
        }

        IPlainInput input = Console.IsInputRedirected ? new ReaderInput(redirectedInput) : new ConsoleInput();
        return new PlainUserInterface(input, Writer(Console.OpenStandardOutput()), Writer(Console.OpenStandardError()), isInteractive);
    }

    private static StreamWriter Writer(Stream stream) => new(stream, s_utf8);
}
