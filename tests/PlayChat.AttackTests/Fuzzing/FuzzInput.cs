namespace PlayChat.AttackTests.Fuzzing;

/// <summary>Bytes for a decoder, and where they are split.</summary>
/// <param name="Bytes">What arrives.</param>
/// <param name="Cuts">Ascending places in it; the same place twice is an empty piece.</param>
internal sealed record FuzzInput(byte[] Bytes, int[] Cuts)
{
    // Enough that a decoder that reads on finds a whole header.
    private const int Margin = 16;

    /// <summary>The bytes inside a larger array, whose other bytes all have one value: a decoder that reads beyond its input decodes
    /// something else when the value changes.</summary>
    public ReadOnlyMemory<byte> Within(byte around)
    {
        byte[] larger = new byte[Margin + Bytes.Length + Margin];
        Array.Fill(larger, around);
        Bytes.CopyTo(larger, Margin);
        return larger.AsMemory(Margin, Bytes.Length);
    }

    /// <summary>The pieces.</summary>
    public IEnumerable<ReadOnlyMemory<byte>> Pieces()
    {
        int start = 0;
        foreach (int cut in Cuts)
        {
            yield return Bytes.AsMemory(start, cut - start);
            start = cut;
        }

        yield return Bytes.AsMemory(start);
    }

    /// <summary>Smaller inputs, for FsCheck to find the smallest that fails.</summary>
    public IEnumerable<FuzzInput> Shrink()
    {
        for (int i = 0; i < Cuts.Length; i++)
        {
            yield return this with { Cuts = [.. Cuts[..i], .. Cuts[(i + 1)..]] };
        }

        for (int length = Bytes.Length / 2; length > 0; length /= 2)
        {
            for (int start = 0; start + length <= Bytes.Length; start += length)
            {
                byte[] less = [.. Bytes[..start], .. Bytes[(start + length)..]];
                yield return new FuzzInput(less, Array.ConvertAll(Cuts, cut => Math.Min(cut, less.Length)));
            }
        }

        for (int i = 0; i < Bytes.Length; i++)
        {
            if (Bytes[i] != 0)
            {
                byte[] simpler = [.. Bytes];
                simpler[i] = 0;
                yield return this with { Bytes = simpler };
            }
        }
    }

    public override string ToString() => $"{Convert.ToHexString(Bytes)} cut at [{string.Join(", ", Cuts)}]";
}
