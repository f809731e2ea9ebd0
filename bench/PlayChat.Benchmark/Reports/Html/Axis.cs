namespace PlayChat.Benchmark.Reports.Html;

/// <summary>Maps values to positions from 0 to 100 %, with round numbers at the ends and ticks between them.</summary>
internal sealed class Axis
{
    private const int MaxLogarithmicTicks = 8;

    private readonly double _from;
    private readonly double _to;

    private Axis(double from, double to, bool logarithmic, IReadOnlyList<double> ticks)
    {
        _from = from;
        _to = to;
        Logarithmic = logarithmic;
        Ticks = ticks;
    }

    /// <summary>Whether equal distances on the axis are equal ratios.</summary>
    public bool Logarithmic { get; }

    /// <summary>The values that get a label.</summary>
    public IReadOnlyList<double> Ticks { get; }

    /// <summary>Makes an axis for values. It starts at 0, or at the round number below the lowest value when it is logarithmic.</summary>
    public static Axis For(IEnumerable<double> values, bool logarithmic, int ticks = 5)
    {
        double[] shown = values.Where(value => double.IsFinite(value) && (!logarithmic || value > 0)).ToArray();
        return logarithmic ? ForRatios(shown) : ForDistances(shown.DefaultIfEmpty(1).Max(), ticks);
    }

    /// <summary>Makes an axis with exactly these ends.</summary>
    public static Axis Between(double from, double to, bool logarithmic, IReadOnlyList<double> ticks) => new(from, to, logarithmic, ticks);

    /// <summary>The position of a value, 0 to 100.</summary>
    public double At(double value)
    {
        double share = Logarithmic
            ? Math.Log(Math.Max(value, double.Epsilon) / _from) / Math.Log(_to / _from)
            : (value - _from) / (_to - _from);
        return Math.Clamp(share, 0, 1) * 100;
    }

    private static Axis ForDistances(double max, int ticks)
    {
        double step = RoundUp((max <= 0 ? 1 : max) / ticks);
        int count = Math.Max(1, (int)Math.Ceiling((max / step) - 1e-9));
        return new Axis(0, count * step, logarithmic: false, Enumerable.Range(0, count + 1).Select(i => i * step).ToArray());
    }

    private static Axis ForRatios(double[] values)
    {
        double from = RoundDown(values.DefaultIfEmpty(1).Min());
        double to = RoundUp(values.DefaultIfEmpty(1).Max());
        if (to <= from)
        {
            to = from * 10;
        }

        List<double> ticks = [];
        for (double tick = from; tick <= to * 1.000001; tick = RoundUp(tick * 1.01))
        {
            ticks.Add(tick);
        }

        // Over several decades only the powers of ten get a label.
        return new Axis(from, to, logarithmic: true, ticks.Count <= MaxLogarithmicTicks ? ticks : ticks.Where(IsPowerOfTen).ToArray());
    }

    // Rounds to 1, 2 or 5 times a power of ten.
    private static double RoundUp(double value)
    {
        double power = Math.Pow(10, Math.Floor(Math.Log10(value) + 1e-9));
        double lead = value / power;
        return (lead <= 1.000001 ? 1 : lead <= 2.000001 ? 2 : lead <= 5.000001 ? 5 : 10) * power;
    }

    private static double RoundDown(double value)
    {
        double power = Math.Pow(10, Math.Floor(Math.Log10(value) + 1e-9));
        double lead = value / power;
        return (lead >= 4.999999 ? 5 : lead >= 1.999999 ? 2 : 1) * power;
    }

    private static bool IsPowerOfTen(double value) => Math.Abs(Math.Log10(value) - Math.Round(Math.Log10(value))) < 1e-6;
}
