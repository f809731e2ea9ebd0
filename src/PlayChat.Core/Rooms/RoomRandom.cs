namespace PlayChat.Core.Rooms;

/// <summary>The random numbers of a room that may be recorded: they begin anew with a seed that the recording has, so that it needs no
/// draws.</summary>
internal sealed class RoomRandom(int seed) : Random
{
    private Random _numbers = new(seed);

    /// <summary>The seed with which the numbers began last.</summary>
    internal int Seed { get; private set; } = seed;

    /// <summary>How often numbers were drawn.</summary>
    internal long Draws { get; private set; }

    private Random Numbers
    {
        get
        {
            Draws++;
            return _numbers;
        }
    }

    public override int Next() => Numbers.Next();

    public override int Next(int maxValue) => Numbers.Next(maxValue);

    public override int Next(int minValue, int maxValue) => Numbers.Next(minValue, maxValue);

    public override long NextInt64() => Numbers.NextInt64();

    public override long NextInt64(long maxValue) => Numbers.NextInt64(maxValue);

    public override long NextInt64(long minValue, long maxValue) => Numbers.NextInt64(minValue, maxValue);

    public override double NextDouble() => Numbers.NextDouble();

    public override float NextSingle() => Numbers.NextSingle();

    public override void NextBytes(byte[] buffer) => Numbers.NextBytes(buffer);

    public override void NextBytes(Span<byte> buffer) => Numbers.NextBytes(buffer);

    /// <summary>Begins anew.</summary>
    internal void Begin(int seed)
    {
        Seed = seed;
        _numbers = new Random(seed);
    }
}
