using System.Globalization;

namespace ArenaServer;

/// <summary>The command line.</summary>
internal sealed record ArenaOptions
{
    public const string Help = """
        A 20 Hz arena: players run for a coin. Without --bots it is the server, with --bots a client that plays and draws.

          dotnet run --project samples/ArenaServer
          dotnet run --project samples/ArenaServer -- --bots 8 --cut 5
          dotnet run --project samples/ArenaServer -- --node 1 --database "Host=…" --port 7100
          dotnet run --project samples/ArenaServer -- --node 2 --database "Host=…" --port 7101

        --host HOST      where the server listens or is (127.0.0.1)
        --port PORT      its port, 0 for any that is free (7100)
        --node N         one of several servers that share the arena: its number, 1 to 65535
        --database TEXT  what the servers share it through: the connection string of a PostgreSQL database
        --record FOLDER  records the arena into a file of this folder, until the server ends; with --node, if
                         this server runs the arena: the one that the first player joins
        --bots N         plays with so many bots, 1 to 200, and draws the arena as the first one sees it;
                         plain lines where the output is no terminal
        --cut SECONDS    as often the connection of one of the bots breaks, and it comes back to its seat (never)
        --seconds N      ends after so long (at Ctrl+C)
        --help           this

        NO_COLOR in the environment turns colors off.
        Exit code: 0, 1 when the server cannot listen or be reached, 2 when an option is wrong.

        """;

    public string Host { get; private init; } = "127.0.0.1";

    public int Port { get; private init; } = 7100;

    /// <summary>0: be the server.</summary>
    public int Bots { get; private init; }

    public TimeSpan Cut { get; private init; } = Timeout.InfiniteTimeSpan;

    public TimeSpan Duration { get; private init; } = Timeout.InfiniteTimeSpan;

    /// <summary>0: a server that shares the arena with no other.</summary>
    public int Node { get; private init; }

    public string Database { get; private init; } = "";

    /// <summary>Null: record nothing.</summary>
    public string? Record { get; private init; }

    public bool ShowHelp { get; private init; }

    /// <exception cref="ArgumentException">An option is wrong; the message says how.</exception>
    public static ArenaOptions Parse(IReadOnlyList<string> arguments)
    {
        var options = new ArenaOptions();
        for (int i = 0; i < arguments.Count; i++)
        {
            string name = arguments[i];
            string Value() =>
                ++i < arguments.Count ? arguments[i] : throw new ArgumentException($"{name} needs a value; --help shows how.");
            int Number(int min, int max) =>
                int.TryParse(Value(), NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= min && number <= max
                    ? number
                    : throw new ArgumentException($"{name} takes a number from {min} to {max}.");
            options = name switch
            {
                "--host" => options with { Host = Value() },
                "--port" => options with { Port = Number(0, ushort.MaxValue) },
                "--node" => options with { Node = Number(1, ushort.MaxValue) },
                "--database" => options with { Database = Value() },
                "--record" => options with { Record = Value() },
                "--bots" => options with { Bots = Number(1, 200) },
                "--cut" => options with { Cut = TimeSpan.FromSeconds(Number(1, 3600)) },
                "--seconds" => options with { Duration = TimeSpan.FromSeconds(Number(1, 86_400)) },
                "--help" or "-h" => options with { ShowHelp = true },
                _ => throw new ArgumentException($"There is no option {name}; --help lists all."),
            };
        }

        return options.Node > 0 == options.Database.Length > 0
            ? options
            : throw new ArgumentException("--node and --database belong together; --help shows how.");
    }
}
