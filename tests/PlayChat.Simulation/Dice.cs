namespace PlayChat.Simulation;

/// <summary>Random numbers of one seed, the same on every machine and runtime (SplitMix64).</summary>
internal sealed class Dice(ulong seed)
{
    private ulong _state = seed;

    /// <summary>Makes independent dice, so that one part of the world draws the same numbers whatever another part draws.</summary>
    internal Dice Split() => new(NextBits());

    internal ulong NextBits()
    {
        ulong bits = _state += 0x9E3779B97F4A7C15;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
        return bits ^ (bits >> 31);
    }

    /// <summary>Returns a number from 0 to <paramref name="count"/> - 1.</summary>
    internal int Next(int count) => (int)(NextBits() % (ulong)count);

    internal bool Chance(double probability) => (NextBits() >> 11) * (1.0 / (1UL << 53)) < probability;

    internal TimeSpan Between(double fromSeconds, double toSeconds) =>
        TimeSpan.FromMilliseconds(Math.Round(1000 * (fromSeconds + ((toSeconds - fromSeconds) * Next(1 << 20) / (1 << 20)))));

    internal T Pick<T>(params T[] values) => values[Next(values.Length)];
}
