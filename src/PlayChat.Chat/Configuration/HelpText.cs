using System.Text;

namespace PlayChat.Chat.Configuration;

/// <summary>What --help prints: the short forms, then every key of <see cref="SettingsCatalog"/>.</summary>
internal static class HelpText
{
    public static string Create()
    {
        var text = new StringBuilder();
        text.Append(
            """
            PlayChat server

            Usage: PlayChat.Server [--port N] [--host H] [--mode chat|echo|broadcast|classroom] [--rooms N]
                                   [--transport sockets|linux | --inline] [--workers N] [--config FILE]
                                   [--KEY=VALUE ...]
                   PlayChat.Server accounts add|passwd|disable|enable|remove NAME | list   (accounts --help says more)
                   PlayChat.Server bans add|remove NAME|ADDRESS | list   (bans --help says more)
                   PlayChat.Server check-config [OPTIONS]   (checks the configuration without starting)
                   PlayChat.Server admin status|sessions|rooms|closes|notice|drain|...   (admin --help says more)
                   PlayChat.Server keys new NAME --scopes SCOPES   (makes a key for the operations endpoint)

              --port N       port of the first endpoint, 0 to 65535; 0 takes a free one (7777)
              --host H       address of the first endpoint; 0.0.0.0 or * opens it to other machines (127.0.0.1)
              --mode M       chat, echo, broadcast or classroom (chat)
              --rooms N      rooms of the broadcast mode (1)
              --transport T  sockets (the runtime's) or linux (epoll, only on Linux, the fastest) (sockets)
              --inline       run handlers on the threads of the runtime's sockets (InlineCompletions=true)
              --workers N    number of threads that run handlers (the runtime's choice)
              --config FILE  reads FILE instead of the appsettings.json beside the program
              --help         this text
              --version      the version

            Exit codes: 0 stopped, 1 the server did not start (the reason is printed), 2 the command line is wrong.

            Every key below goes into appsettings.json beside the program, into the environment (PLAYCHAT_Rooms__MaxRooms=50,
            or Rooms__MaxRooms=50) or onto the command line (--Rooms:MaxRooms=50); the later of these wins. The keys of
            section Serilog are those of Serilog.Settings.Configuration.


            """.ReplaceLineEndings("\n"));
        foreach (Setting setting in SettingsCatalog.All)
        {
            text.Append("  ").Append(setting.Key).Append(" = ").Append(setting.Default.Length == 0 ? "\"\"" : setting.Default).Append('\n')
                .Append("      ").Append(setting.Description).Append(" Allowed: ").Append(setting.Allowed).Append(".\n");
        }

        return text.ToString();
    }
}
