namespace PlayChat.Core.Connections;

/// <summary>How much one peer may send: bytes and frames per second, and twice as many at once after a pause.</summary>
/// <remarks>
/// <para>A mutable struct, embedded in the <see cref="ReceiveLoop"/>, which alone calls it: never copied.</para>
/// <para>
/// A budget is one number: the time at which it is full again. Each byte and each frame delays that time by its share of a second. The
/// budget is used up when the time is more than <see cref="BurstSeconds"/> away. Bytes and frames share the number, so peers that send
/// many small frames and peers that send few large ones are throttled alike.
/// </para>
/// </remarks>
internal struct ReceiveBudget(ConnectionOptions options, long frequency)
{
    private const int BurstSeconds = 2;

    private readonly long _frequency = frequency;

    // Factors, because a division for each batch is slower.
    private readonly double _ticksPerByte = options.BytesPerSecond == 0 ? 0 : (double)frequency / options.BytesPerSecond;
    private readonly double _ticksPerFrame = options.FramesPerSecond == 0 ? 0 : (double)frequency / options.FramesPerSecond;
    private long _wholeAt; // in ticks of the clock

    /// <summary>Whether there is a limit.</summary>
    internal bool IsLimited { get; } = options.BytesPerSecond > 0 || options.FramesPerSecond > 0;

    /// <summary>Takes what has been received.</summary>
    /// <param name="bytes">Received.</param>
    /// <param name="frames">Handled.</param>
    /// <param name="now">The present time, in ticks.</param>
    /// <returns>How long not to read, in ticks; 0 to read on.</returns>
    internal long Take(int bytes, int frames, long now)
    {
        // The larger share counts: frames of the usual size use up both limits at the same time.
        double share = Math.Max(bytes * _ticksPerByte, frames * _ticksPerFrame);
        _wholeAt = Math.Max(_wholeAt, now) + (long)share;
        long over = _wholeAt - now - (BurstSeconds * _frequency);
        // A quarter of a second more than is needed, so that a peer that floods costs four rounds a second and not one for each frame.
        return over <= 0 ? 0 : over + (_frequency / 4);
    }
}
