namespace PlayChat.Benchmark.Experiments;

internal enum SuiteSize
{
    Smoke, // whether everything works and nothing is lost: about two minutes; its figures are too short to compare
    Quick, // small sizes and short times: about twelve minutes
    Standard, // the published sizes with shorter times: about a quarter of an hour for each round
    Full, // the published sizes and times: hours
}

/// <summary>An option of an experiment, with its value in each size. A size without a value has that of the next larger one.</summary>
/// <param name="Full">The published value; several numbers are divided by spaces.</param>
internal sealed record PresetOption(
    string Name, string Text, string Full, string? Standard = null, string? Quick = null, string? Smoke = null)
{
    public string Of(SuiteSize size) =>
        (size <= SuiteSize.Smoke ? Smoke : null)
        ?? (size <= SuiteSize.Quick ? Quick : null)
        ?? (size <= SuiteSize.Standard ? Standard : null)
        ?? Full;
}

/// <summary>The values of an experiment's options: those of a size, and those that the command line gives instead.</summary>
internal sealed class Preset(SuiteSize size, IEnumerable<PresetOption> options, IReadOnlyDictionary<string, string> given)
{
    private readonly Dictionary<string, string> _values = options.ToDictionary(
        static option => option.Name, option => given.GetValueOrDefault(option.Name) ?? option.Of(size), StringComparer.Ordinal);

    public SuiteSize Size { get; } = size;

    public IReadOnlyDictionary<string, string> Given { get; } = given;

    public string this[string option] => _values[option];

    /// <summary>The value of an option that is a whole number of at least 1.</summary>
    public int Int(string option) => Ints(option) is [var value] ? value : throw Wrong(option, "one number");

    /// <summary>The values of an option that takes whole numbers of at least 1.</summary>
    public int[] Ints(string option, bool zeroIsNone = false)
    {
        string[] words = this[option].Split([' ', ','], StringSplitOptions.RemoveEmptyEntries);
        return zeroIsNone && words is ["0"] ? [] : Array.ConvertAll(words, word => Parse(option, word));
    }

    /// <summary>The values of an option that takes groups of whole numbers.</summary>
    /// <param name="form">What the numbers of a group are: <c>THREADS:GROUPS</c>.</param>
    public int[][] Groups(string option, string form, char separator) => Array.ConvertAll(this[option].Split(' '), word =>
    {
        string[] numbers = word.Split(separator);
        return numbers.Length == form.Split(separator).Length
            ? Array.ConvertAll(numbers, number => Parse(option, number))
            : throw new UsageException($"{option} takes {form}, not '{word}'.");
    });

    public double Number(string option) =>
        double.TryParse(this[option], NumberStyles.Float, CultureInfo.InvariantCulture, out double number)
            ? number
            : throw Wrong(option, "a number");

    /// <summary>Options with their values, as a run's command line has them.</summary>
    public string Options(params string[] options) => string.Join(' ', options.Select(option => $"{option} {this[option]}"));

    private int Parse(string option, string word) =>
        !int.TryParse(word, CultureInfo.InvariantCulture, out int number) ? throw Wrong(option, "whole numbers")
        : number >= 1 ? number
        : throw new UsageException($"{option} is {word}; allowed is 1 or more.");

    private UsageException Wrong(string option, string wanted) => new($"{option} takes {wanted}, not '{this[option]}'.");
}

internal sealed record ExperimentKind(
    string Name, string Text, IReadOnlyList<PresetOption> Options, Func<Preset, ExperimentSettings, Experiment> Make)
{
    public static IReadOnlyList<ExperimentKind> All { get; } =
    [
        ChatFanoutExperiment.Kind, RequestReplyExperiment.Kind, StreamExperiment.Kind, ClassroomExperiment.Kind, RampExperiment.Kind,
        ClusterExperiment.Kind,
    ];

    public Experiment Create(SuiteSize size, ExperimentSettings settings, IReadOnlyDictionary<string, string>? given = null) =>
        Make(new Preset(size, Options, given ?? new Dictionary<string, string>(StringComparer.Ordinal)), settings);
}
