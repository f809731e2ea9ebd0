namespace PlayChat.AttackTests.Fuzzing;

/// <summary>A 64-bit FNV-1a hash of what a decoder has found, to compare two runs.</summary>
internal struct Digest()
{
    /// <summary>The hash so far.</summary>
    public ulong Value { get; private set; } = 14695981039346656037;

    public void Add(ReadOnlySpan<byte> bytes)
    {
        ulong value = Value;
        foreach (byte one in bytes)
        {
            value = (value ^ one) * 1099511628211;
        }

        Value = value;
    }

    public void Add(int number) => Add(BitConverter.GetBytes(number));
}
