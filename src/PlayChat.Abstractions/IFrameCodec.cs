namespace PlayChat.Core.Framing;

/// <summary>The rules of one wire format. Made into a format by <c>FrameFormat.Create</c>.</summary>
/// <remarks>
/// Implement it as a small <c>readonly struct</c>: the runtime then compiles a decoding loop for that codec alone, with
/// <see cref="TryDecode(ReadOnlySpan{byte}, out FrameHeader, out FrameBounds)"/> inlined into it. A codec holds no state
/// between calls, so that one value serves every connection and every thread; it does no I/O, and it never throws for what a
/// peer sent. Both ways of decoding must judge the same bytes alike. Messages of exceptions name the format by its
/// <see cref="object.ToString"/>.
/// </remarks>
public interface IFrameCodec
{
    /// <summary>The limit the format was made with, in bytes, 1 to 256 MiB; what it counts is the format's own rule.</summary>
    int MaxFrameBytes { get; }

    /// <summary>The largest body that fits a frame, in bytes, 0 to 256 MiB.</summary>
    int MaxBodyBytes { get; }

    /// <summary>Bytes in front of the body of every frame that is sent, 0 to 65,535.</summary>
    int HeaderBytes { get; }

    /// <summary>Bytes behind the body of every frame that is sent, 0 to 65,535.</summary>
    int TrailerBytes { get; }

    /// <summary>Judges the frame at the front of contiguous bytes: the fast path.</summary>
    /// <param name="input">What has arrived and belongs to no earlier frame; never empty. It may hold more than one frame.</param>
    /// <param name="header">What stands beside the body; meaningful with <see cref="DecodeStatus.Frame"/> alone.</param>
    /// <param name="bounds">Where the frame lies. Beside <see cref="DecodeStatus.NeedMoreData"/> only <see cref="FrameBounds.FrameBytes"/>
    /// is read, as a hint.</param>
    /// <returns>A limit that is broken is reported as soon as the bytes show it, before the body has arrived.</returns>
    DecodeStatus TryDecode(ReadOnlySpan<byte> input, out FrameHeader header, out FrameBounds bounds);

    /// <summary>The same for bytes in several segments; called only for a frame that crosses from one to the next.</summary>
    /// <inheritdoc cref="TryDecode(ReadOnlySpan{byte}, out FrameHeader, out FrameBounds)"/>
    DecodeStatus TryDecode(in ReadOnlySequence<byte> input, out FrameHeader header, out FrameBounds bounds);

    /// <summary>Whether a body of allowed size can be sent as it is. False where its content would end the frame early.</summary>
    bool CanCarry(ReadOnlySpan<byte> body);

    /// <summary>Writes the <see cref="HeaderBytes"/> in front of a body. The format has checked <paramref
    /// name="bodyBytes"/>.</summary>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is too small.</exception>
    void WriteHeader(Span<byte> destination, FrameHeader header, int bodyBytes);

    /// <summary>Writes the <see cref="TrailerBytes"/> behind a body.</summary>
    /// <exception cref="ArgumentException"><paramref name="destination"/> is too small.</exception>
    void WriteTrailer(Span<byte> destination);
}
