using System.Globalization;
using PlayChat.RoomProbe;

namespace PlayChat.AttackTests.Harness;

/// <summary>Judges what an attack did to the room beside it.</summary>
internal static class AttackReport
{
    // Wide, because the attack, the players and the server share the machine with other tests. An attack that works makes the room wait
    // for seconds, or for good.
    private const int MedianFactor = 25;
    private const int MaxFactor = 10;
    private const double MedianSlackMilliseconds = 500;
    private const double MaxSlackMilliseconds = 10_000;

    /// <summary>Whether the figures go into a table, so that the measurements last long enough for a percentile.</summary>
    public static bool HasTable => Table is not null;

    private static string? Table => Environment.GetEnvironmentVariable("ATTACK_TABLE");

    /// <summary>Asserts that an attack has slowed the room down by little, compared with a machine that was busy with something
    /// else. Where ATTACK_TABLE names a file, adds the row of the test to its table.</summary>
    public static void AssertLike(this RoomReport attacked, Baseline before)
    {
        RoomReport busy = before.Busy;
        if (Table is { } table)
        {
            File.AppendAllText(table, string.Create(
                CultureInfo.InvariantCulture,
                $"| {TestContext.Current.Test!.TestDisplayName} | {before.Peace?.Percentile99:F1} | {attacked.Percentile99:F1} | "
                    + $"{busy.Percentile99:F1} | {attacked.Deliveries} | {attacked.Lost} | {attacked.LoginsInTime}/{attacked.Logins} | "
                    + $"{attacked.SlowestLogin:F0} |\n"));
        }

        string both = $"Attack: {attacked}. Busy machine: {busy}.";
        TestContext.Current.TestOutputHelper?.WriteLine(both);
        Assert.True(attacked.Median <= (busy.Median * MedianFactor) + MedianSlackMilliseconds, both);
        Assert.True(attacked.Max <= (busy.Max * MaxFactor) + MaxSlackMilliseconds, both);
    }
}
