namespace PlayChat.Benchmark.Reports;

/// <summary>Maps values to positions from 0 to 100 %: from 0 in round steps, or over whole powers of ten.</summary>
internal sealed class Axis
{
    private const int Steps = 5;
    private readonly double _from;
    private readonly double _to;

    /// <param name="logarithmic">Whether equal distances are equal ratios. Values that are not above 0 are then at its beginning.</param>
    public Axis(IEnumerable<double> values, bool logarithmic)
    {
        double[] shown = values.Where(value => double.IsFinite(value) && value > 0).DefaultIfEmpty(1).ToArray();
        Logarithmic = logarithmic;
        if (logarithmic)
        {
            _from = Math.Pow(10, Math.Floor(Math.Log10(shown.Min())));
            _to = Math.Max(_from * 10, Math.Pow(10, Math.Ceiling(Math.Log10(shown.Max()))));
            int decades = (int)Math.Round(Math.Log10(_to / _from));
            Ticks = Enumerable.Range(0, decades + 1).Select(power => _from * Math.Pow(10, power)).ToArray();
        }
        else
        {
            double power = Math.Pow(10, Math.Floor(Math.Log10(shown.Max() / Steps)));
            double lead = shown.Max() / Steps / power;
            double step = (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
            Ticks = Enumerable.Range(0, (int)Math.Ceiling(shown.Max() / step) + 1).Select(i => i * step).ToArray();
            _to = Ticks[^1];
        }
    }

    public bool Logarithmic { get; }

    public IReadOnlyList<double> Ticks { get; }

    /// <summary>The position of a value, 0 to 100.</summary>
    public double At(double value)
    {
        double share = Logarithmic ? Math.Log(Math.Max(value, double.Epsilon) / _from) / Math.Log(_to / _from) : value / _to;
        return Math.Clamp(share, 0, 1) * 100;
    }
}
