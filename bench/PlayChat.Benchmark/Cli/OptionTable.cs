using System.CommandLine;

namespace PlayChat.Benchmark.Cli;

/// <summary>The options of a command in one table: names, defaults, ranges and help. Reading them checks the ranges.</summary>
internal sealed class OptionTable
{
    private readonly List<Option> _options = [];
    private readonly List<Argument> _arguments = [];
    private readonly List<(string Name, Func<ParseResult, double?> Read, double Min, double Max, string Unit)> _ranges = [];

    public OptionTable Int(string name, int standard, double min, double max, string text)
    {
        var option = new Option<int>(name) { DefaultValueFactory = _ => standard, HelpName = "N" };
        _ranges.Add((name, result => result.GetValue(option), min, max, string.Empty));
        return Add(option, text);
    }

    /// <summary>Adds a number; without a default it is null when it is not given.</summary>
    public OptionTable Number(string name, double? standard, double min, double max, string text, string unit = "")
    {
        string helpName = unit.Length == 0 ? "N" : unit.ToUpperInvariant();
        var option = new Option<double?>(name) { DefaultValueFactory = _ => standard, HelpName = helpName };
        _ranges.Add((name, result => result.GetValue(option), min, max, unit.Length == 0 ? unit : " " + unit));
        return Add(option, text);
    }

    public OptionTable Seconds(string name, double standard, double min, string text) =>
        Number(name, standard, min, OptionValues.MaxSeconds, text, "seconds");

    /// <summary>Adds a time with its unit: <c>50ms</c>, <c>1.5s</c>, <c>200us</c>.</summary>
    public OptionTable Time(string name, string standard, string text) => Text(name, standard, "TIME", text);

    /// <summary>Adds a text; without a default it is null when it is not given.</summary>
    public OptionTable Text(string name, string? standard, string helpName, string text) =>
        Add(new Option<string?>(name) { DefaultValueFactory = _ => standard, HelpName = helpName }, text);

    public OptionTable Flag(string name, string text) => Add(new Option<bool>(name), text);

    /// <summary>Adds an option that may have several values, and may be given several times.</summary>
    public OptionTable List(string name, string helpName, string text, bool inOne = true) => Add(
        new Option<string[]>(name) { AllowMultipleArgumentsPerToken = inOne, DefaultValueFactory = _ => [], HelpName = helpName }, text);

    public OptionTable Argument(string name, string text, bool isList = false)
    {
        _arguments.Add(new Argument<string[]>(name)
        {
            Description = text,
            Arity = isList ? ArgumentArity.ZeroOrMore : ArgumentArity.ExactlyOne,
            CustomParser = static result => [.. result.Tokens.Select(static token => token.Value)],
        });
        return this;
    }

    public Command Create(string name, string text, Func<OptionValues, CancellationToken, Task<int>> run)
    {
        var command = new Command(name, text);
        _arguments.ForEach(command.Arguments.Add);
        _options.ForEach(command.Options.Add);
        command.SetAction((result, token) => run(Read(result), token));
        return command;
    }

    public static void Require(bool good, string option, double value, string allowed) =>
        UsageException.Unless(good, $"{option} is {value}; allowed is {allowed}.");

    private OptionTable Add(Option option, string text)
    {
        option.Description = text;
        _options.Add(option);
        return this;
    }

    private OptionValues Read(ParseResult result)
    {
        foreach ((string name, Func<ParseResult, double?> read, double min, double max, string unit) in _ranges)
        {
            double value = read(result) ?? min;
            string range = min == double.Epsilon ? $"more than 0, to {max}"
                : double.IsPositiveInfinity(max) ? $"{min} or more"
                : $"{min} to {max}";
            Require(value >= min && value <= max, name, value, range + unit);
        }

        return new OptionValues(result);
    }
}

/// <summary>The values of a command's options and arguments, by their names.</summary>
internal sealed class OptionValues(ParseResult result)
{
    public const double MaxSeconds = 86_400;
    private static readonly (string Unit, double Seconds)[] s_units = [("ms", 1e-3), ("us", 1e-6), ("s", 1)];

    /// <summary>Where the command writes, and where it writes errors and progress.</summary>
    public InvocationConfiguration Console => result.InvocationConfiguration;

    public int Int(string name) => result.GetValue<int>(name);

    public double Number(string name) => OptionalNumber(name)!.Value;

    public double? OptionalNumber(string name) => result.GetValue<double?>(name);

    public TimeSpan Seconds(string name) => TimeSpan.FromSeconds(Number(name));

    public string Text(string name) => OptionalText(name)!;

    public string? OptionalText(string name) => result.GetValue<string?>(name);

    public bool Flag(string name) => result.GetValue<bool>(name);

    public string[] List(string name) => result.GetValue<string[]>(name)!;

    public string Argument(string name) => List(name)[0];

    public TimeSpan Time(string name)
    {
        string text = Text(name);
        (string unit, double factor) = Array.Find(s_units, pair => text.EndsWith(pair.Unit, StringComparison.Ordinal));
        string number = text[..^(unit?.Length ?? 0)];
        _ = double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value);
        UsageException.Unless(
            value * factor is > 0 and <= MaxSeconds, $"{name} takes a time such as 50ms, 1.5s or 200us, not '{text}'.");
        return TimeSpan.FromMicroseconds(value * factor * 1e6);
    }
}
