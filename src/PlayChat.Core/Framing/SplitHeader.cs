namespace PlayChat.Core.Framing;

/// <summary>Brings a header that may be split over segments together.</summary>
internal static class SplitHeader
{
    /// <summary>Copies the front of <paramref name="input"/>, as much as there is, up to the length of <paramref
    /// name="scratch"/>.</summary>
    /// <returns>The filled part of <paramref name="scratch"/>.</returns>
    public static ReadOnlySpan<byte> Gather(in ReadOnlySequence<byte> input, Span<byte> scratch)
    {
        int bytes = (int)Math.Min(input.Length, scratch.Length);
        input.Slice(0, bytes).CopyTo(scratch);
        return scratch[..bytes];
    }
}
