using System.Globalization;

namespace PlayChat.AttackTests.Harness;

/// <summary>How long messages took from their speaker to each listener.</summary>
internal sealed class Delays
{
    // Wide, because the attack, the players and the server share the machine with other tests. An attack that works makes the room wait
    // for seconds, or for good.
    private const int MedianFactor = 25;
    private const int MaxFactor = 10;
    private static readonly TimeSpan s_medianSlack = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan s_maxSlack = TimeSpan.FromSeconds(10);

    private readonly TimeSpan[] _sorted;

    public Delays(IEnumerable<TimeSpan> delays) => _sorted = [.. delays.Order()];

    /// <summary>How many deliveries were measured.</summary>
    public int Count => _sorted.Length;

    /// <summary>Half of the deliveries were as fast.</summary>
    public TimeSpan Median => At(0.5);

    /// <summary>The same room in peace, measured before.</summary>
    public Delays? Peace { get; set; }

    /// <summary>The slowest delivery.</summary>
    public TimeSpan Max => _sorted[^1];

    /// <summary>Asserts that an attack has slowed the room down by little, compared with a machine that was busy with something
    /// else. Where ATTACK_TABLE names a file, adds the row of the test to its table.</summary>
    public void AssertLike(Delays busy)
    {
        if (Environment.GetEnvironmentVariable("ATTACK_TABLE") is { } table)
        {
            File.AppendAllText(table, string.Create(
                CultureInfo.InvariantCulture,
                $"| {TestContext.Current.Test!.TestDisplayName} | {busy.Peace?.Percentile99:F1} | {Percentile99:F1} | "
                    + $"{busy.Percentile99:F1} | {Count} |\n"));
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"Attack: {this}. Busy machine: {busy}.");
        Assert.True(Median <= (busy.Median * MedianFactor) + s_medianSlack, $"Attack: {this}. Busy machine: {busy}.");
        Assert.True(Max <= (busy.Max * MaxFactor) + s_maxSlack, $"Attack: {this}. Busy machine: {busy}.");
    }

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Count} deliveries, p50 {Median.TotalMilliseconds:F2} ms, p99 {Percentile99:F2} ms, "
            + $"max {Max.TotalMilliseconds:F2} ms");

    private double Percentile99 => At(0.99).TotalMilliseconds;

    private TimeSpan At(double share) => _sorted[(int)(share * (_sorted.Length - 1))];
}
