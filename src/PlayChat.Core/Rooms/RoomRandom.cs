namespace PlayChat.Core.Rooms;

/// <summary>The random numbers of a room that may be recorded: they begin anew with a seed that the recording has, so that it needs no
/// draws.</summary>
/// <param name="seed">The first seed.</param>
internal sealed class RoomRandom(int seed) : Random
{
    private Random _numbers = new(seed);

    /// <summary>The seed with which the numbers began last.</summary>
    internal int Seed { get; private set; } = seed;

    public override int Next() => _numbers.Next();

    public override int Next(int maxValue) => _numbers.Next(maxValue);

    public override int Next(int minValue, int maxValue) => _numbers.Next(minValue, maxValue);

    public override long NextInt64() => _numbers.NextInt64();

    public override long NextInt64(long maxValue) => _numbers.NextInt64(maxValue);

    public override long NextInt64(long minValue, long maxValue) => _numbers.NextInt64(minValue, maxValue);

    public override double NextDouble() => _numbers.NextDouble();

    public override float NextSingle() => _numbers.NextSingle();

    public override void NextBytes(byte[] buffer) => _numbers.NextBytes(buffer);

    public override void NextBytes(Span<byte> buffer) => _numbers.NextBytes(buffer);

    /// <summary>Begins anew.</summary>
    internal void Begin(int seed)
    {
        Seed = seed;
        _numbers = new Random(seed);
    }
}
