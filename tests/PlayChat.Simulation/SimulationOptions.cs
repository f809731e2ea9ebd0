using System.Globalization;

namespace PlayChat.Simulation;

/// <summary>What the command line asks for.</summary>
internal sealed record SimulationOptions
{
    internal const string Help = """
        Runs a PlayChat server, or a cluster of them, and its clients in simulated worlds, and checks what the clients were told.

        Usage: PlayChat.Simulation [options]

          --seeds N        Worlds to run, one for each seed. Default 100.
          --first S        The first seed. Default: drawn from the clock of this machine.
          --minutes M      Stop after M minutes of real time, even if seeds are left.
          --seed S         Run this seed alone.
          --seed-file F    Run the seeds of a file first: one in each line; # begins a comment.
          --continue       Name every seed that breaks a rule, instead of stopping at the first.
          --trace          Write every event of the world (with --seed).
          --chaos T        Simulated seconds in which faults happen. Default 60. They decide what a seed means.
          --nodes N        Nodes of the cluster, 1 to 9. Default 1: one server without a cluster.
          --chat           Worlds with the chat server and its real client.
          --variant V      Build a fault into each world, to see that it is found. V is one of: {0}.
          --help           Write this text.

        A seed decides everything, so that "--seed S --trace" writes the same text each time. The exit code is 0 if no world broke a
        rule, 1 if one did, 2 if the arguments are invalid, and 130 after Ctrl+C.
        """;

    internal int Seeds { get; private init; } = 100;

    internal ulong? First { get; private init; }

    internal TimeSpan? Limit { get; private init; }

    internal bool IsOne { get; private init; }

    internal string? SeedFile { get; private init; }

    internal bool Continues { get; private init; }

    internal bool Traces { get; private init; }

    internal TimeSpan Chaos { get; private init; } = TimeSpan.FromSeconds(60);

    internal int Nodes { get; private init; } = 1;

    internal Variant Variant { get; private init; }

    internal bool IsChat { get; private init; }

    internal bool WantsHelp { get; private init; }

    /// <exception cref="FormatException">The arguments are invalid; the message says why.</exception>
    internal static SimulationOptions Parse(string[] arguments)
    {
        var options = new SimulationOptions();
        for (int i = 0; i < arguments.Length; i++)
        {
            string name = arguments[i];
            options = name switch
            {
                "--help" or "-h" => options with { WantsHelp = true },
                "--continue" => options with { Continues = true },
                "--chat" => options with { IsChat = true },
                "--trace" => options with { Traces = true },
                "--seeds" => options with { Seeds = (int)Number(name, Next(), 1, int.MaxValue) },
                "--first" => options with { First = (ulong)Number(name, Next(), 0, long.MaxValue) },
                "--seed" => options with { First = (ulong)Number(name, Next(), 0, long.MaxValue), Seeds = 1, IsOne = true },
                "--minutes" => options with { Limit = TimeSpan.FromMinutes(Number(name, Next(), 0.01, 100_000)) },
                "--chaos" => options with { Chaos = TimeSpan.FromSeconds(Number(name, Next(), 1, 100_000)) },
                "--nodes" => options with { Nodes = (int)Number(name, Next(), 1, 9) },
                "--seed-file" => options with { SeedFile = Next() },
                "--variant" => options with { Variant = VariantOf(Next()) },
                _ => throw new FormatException($"Unknown option {name}. --help lists the options."),
            };

            string Next() => ++i < arguments.Length ? arguments[i] : throw new FormatException($"{name} needs a value.");
        }

        return options.Traces && !options.IsOne
            ? throw new FormatException("--trace writes one world: give its seed by --seed.")
            : options;
    }

    private static double Number(string name, string text, double min, double max) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double value) && value >= min && value <= max
            ? value
            : throw new FormatException($"{name} is '{text}'; it must be a number from {min} to {max}.");

    private static Variant VariantOf(string text) =>
        Enum.TryParse(text, ignoreCase: true, out Variant variant) && Enum.IsDefined(variant) && !char.IsDigit(text[0])
            ? variant
            : throw new FormatException($"There is no variant '{text}'. --help lists them.");
}
