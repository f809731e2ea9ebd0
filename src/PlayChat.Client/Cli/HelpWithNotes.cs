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

        On a terminal of at least 80 columns and 20 rows the client uses the whole window: rooms, messages,
        members. --line writes line below line instead, with the menu and the commands below.

        Full screen:
          /join ROOM, /create NAME, /exit, /rooms, /members, /history, /msg NAME TEXT, /help, /quit
          /create NAME --type quiz --with level=easy   a room with a type and a property
          /rooms --type quiz --with level=easy         the rooms that have them
          PgUp, PgDn           scroll; at the oldest message: read earlier ones
          Ctrl+N, Ctrl+P       next room, previous room (also Alt+Down, Alt+Up)
          Alt+1 to Alt+9       room by its number in the list
          Alt+A                room with unread messages
          Ctrl+F               search; Enter or Up: older, Down: newer, Esc: end
          Ctrl+L               draw the window anew

        Menu:
          1 create a room   2 join a room by its number or name   3 list the rooms   4 or q quit
          /rooms --type quiz --with level=easy   the rooms with a type and properties; they stand behind the
                                                 name of a room that you create, too

        In a room (lines):
          /members     who is here
          /history     earlier messages
          /join ROOM   leave the room for another one, by its number or name
          /msg NAME TEXT   write to one player: a member, or one whose message you have seen
          /exit        leave the room, back to the menu
          /quit        leave the room and end
          /help        the commands
          //text       say "/text"

        Keys in the input line:
          Up, Down   lines typed before
          Tab        complete a command, the name of a room after /join, of a player after /msg, or of a member
          a paste of several lines is posted only after a question

        Without a terminal (input or output redirected, or --plain) the client reads and writes plain
        lines. It asks nothing a second time then: a refused login, or a room that it fails to create,
        join or return to, ends it, and so does a connection that stays lost for a minute (with
        --no-reconnect: at once). What the server refuses only for the moment is said again, for up to a
        minute. At the end of the input it waits until all that was said has been answered, leaves and
        ends. Errors go to the standard error output, also what was not sent.

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
