using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace PlayChat.Client.Cli;

/// <summary>The generated help, and what it cannot know: examples, the commands in a room, the exit codes.</summary>
internal sealed class HelpWithNotes(HelpAction generated) : SynchronousCommandLineAction
{
    private const string Notes = """
        Examples:
          PlayChat.Client --name Ann                                 log in to 127.0.0.1:7777
          PlayChat.Client --host chat.example.org --tls --name Ann   over TLS
          PlayChat.Client --url ws://127.0.0.1:7780/ws --name Ann    over WebSocket
          printf '2\n1\nhello\n' | PlayChat.Client --name Bot        join room 1, say hello, leave

        Commands:
          /join ROOM, /create NAME, /exit, /rooms, /members, /history, /msg NAME TEXT, /me ACTION, /clear, /help, /quit
          //text                                       say "/text"
          /create NAME --type quiz --with level=easy   a room with a type and a property
          /rooms --type quiz --with level=easy         the rooms that have them

        Menu of plain lines, outside of rooms:
          1 create a room   2 join a room by its number or name   3 list the rooms   4 or q quit

        Keys:
          Up, Down   lines typed before
          Tab        complete a command, the name of a room after /join, of a player after /msg, or of a member
          Full screen: PgUp and PgDn scroll; at the oldest message PgUp reads earlier ones. Ctrl+N, Ctrl+P (Alt+Down, Alt+Up): next and
          previous room. Alt+1 to Alt+9: room by its number in the list. Alt+A: room with unread messages. Ctrl+F: search; Enter or Up
          older, Down newer, Esc end. Ctrl+L: draw the window anew.
          A paste of several lines is posted only after a question.

        Without a terminal the client asks nothing a second time: a refused login, or a room that it fails to create, join or return to,
        ends it, and so does a connection that stays lost for a minute (with --no-reconnect: at once). What the server refuses only for
        the moment is said again, for up to a minute. At the end of the input the client waits until all that was said has been answered,
        leaves and ends. Errors go to the standard error output, also what was not sent.

        Exit codes:
          0  ended by the user, by the end of the input, or by Ctrl+C
          1  no connection, login or (without a terminal) room or message refused, or connection lost
          2  wrong arguments
        """;

    public override int Invoke(ParseResult parseResult)
    {
        int code = generated.Invoke(parseResult);
        parseResult.InvocationConfiguration.Output.WriteLine(Notes);
        return code;
    }
}
