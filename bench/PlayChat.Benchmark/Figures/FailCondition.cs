namespace PlayChat.Benchmark.Figures;

/// <summary>A condition that makes the program fail when it is true, such as <c>p99_us&gt;5000</c>.</summary>
/// <param name="Operator">One of <c>&gt; &gt;= &lt; &lt;= == !=</c>.</param>
/// <param name="Limit">The limit, in the figure's unit; true and false are 1 and 0.</param>
internal sealed partial record FailCondition(string Key, string Operator, double Limit)
{
    public static FailCondition Parse(string text) =>
        Form().Match(text) is { Success: true } match && TryNumber(match.Groups["limit"].Value, out double limit)
            ? new FailCondition(match.Groups["key"].Value, match.Groups["operator"].Value, limit)
            : throw new UsageException(
                $"--fail-if takes a figure, one of > >= < <= == != and a number, such as \"p99_us>5000\", not '{text}'.");

    public bool IsMet(double value) => Operator switch
    {
        ">" => value > Limit,
        ">=" => value >= Limit,
        "<" => value < Limit,
        "<=" => value <= Limit,
        "==" => value.Equals(Limit),
        _ => !value.Equals(Limit),
    };

    public override string ToString() => $"{Key}{Operator}{Limit}";

    [GeneratedRegex(
        @"^\s*(?<key>[A-Za-z0-9_.]+)\s*(?<operator>>=|<=|==|!=|>|<)\s*(?<limit>\S+)\s*$",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        1000)]
    private static partial Regex Form();

    private static bool TryNumber(string text, out double number)
    {
        number = text == "true" ? 1 : 0;
        return text is "true" or "false" || double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out number);
    }
}
