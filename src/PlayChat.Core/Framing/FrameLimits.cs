namespace PlayChat.Core.Framing;

/// <summary>The ranges that a format's arguments must keep, and the sentences that say so.</summary>
internal static class FrameLimits
{
    /// <summary>256 MiB: far above any message, and sums of a few such numbers still fit an int.</summary>
    public const int LargestFrameBytes = 256 * 1024 * 1024;

    private const int LargestEdgeBytes = ushort.MaxValue;

    public static int CheckMaxFrameBytes(int maxFrameBytes, int smallest, int largest)
    {
        if (maxFrameBytes < smallest || maxFrameBytes > largest)
        {
            string message = string.Create(
                CultureInfo.InvariantCulture,
                $"MaxFrameBytes must be from {smallest} to {largest:N0} bytes for this format, but is {maxFrameBytes:N0}.");
            throw new ArgumentOutOfRangeException(nameof(maxFrameBytes), message);
        }

        return maxFrameBytes;
    }

    public static int LargestForPrefix(int prefixBytes) => prefixBytes switch
    {
        2 => ushort.MaxValue,
        4 => LargestFrameBytes,
        _ => throw new ArgumentOutOfRangeException(nameof(prefixBytes), $"A length prefix has 2 or 4 bytes, not {prefixBytes}."),
    };

    public static void CheckCodec<TCodec>(TCodec codec)
        where TCodec : struct, IFrameCodec
    {
        string name = codec.ToString() ?? typeof(TCodec).Name;
        CheckProperty(name, nameof(codec.MaxFrameBytes), codec.MaxFrameBytes, smallest: 1, LargestFrameBytes, nameof(codec));
        CheckProperty(name, nameof(codec.MaxBodyBytes), codec.MaxBodyBytes, smallest: 0, LargestFrameBytes, nameof(codec));
        CheckProperty(name, nameof(codec.HeaderBytes), codec.HeaderBytes, smallest: 0, LargestEdgeBytes, nameof(codec));
        CheckProperty(name, nameof(codec.TrailerBytes), codec.TrailerBytes, smallest: 0, LargestEdgeBytes, nameof(codec));
    }

    public static ArgumentException BodyRefused(FrameFormat format, int bodyBytes, string parameterName) =>
        (uint)bodyBytes > (uint)format.MaxBodyBytes
            ? new ArgumentOutOfRangeException(
                parameterName, $"A body of the format '{format.Name}' has 0 to {format.MaxBodyBytes} bytes, but this one has {bodyBytes}.")
            : new ArgumentException(
                $"The format '{format.Name}' cannot carry this body: something in it would end the frame early.", parameterName);

    private static void CheckProperty(string codecName, string property, int value, int smallest, int largest, string parameterName)
    {
        if (value < smallest || value > largest)
        {
            string message = string.Create(
                CultureInfo.InvariantCulture,
                $"{property} of the codec '{codecName}' must be from {smallest} to {largest:N0}, but is {value:N0}.");
            throw new ArgumentException(message, parameterName);
        }
    }
}
