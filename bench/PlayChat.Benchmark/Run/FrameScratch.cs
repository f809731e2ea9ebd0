namespace PlayChat.Benchmark.Run;

/// <summary>Gives the body of a frame in one piece. For one receive loop.</summary>
internal struct FrameScratch
{
    private byte[]? _bytes;

    /// <summary>The body; valid until the next call, or until the frame's handler returns.</summary>
    public ReadOnlySpan<byte> Read(Frame frame)
    {
        if (frame.TryGetSpan(out ReadOnlySpan<byte> body))
        {
            return body;
        }

        // Across a seam of the receive buffer, which is rare.
        if (_bytes is null || _bytes.Length < frame.BodyBytes)
        {
            _bytes = new byte[Math.Max(frame.BodyBytes, 2 * ChatLimits.MaxTextBytes)];
        }

        frame.CopyTo(_bytes);
        return _bytes.AsSpan(0, frame.BodyBytes);
    }
}
