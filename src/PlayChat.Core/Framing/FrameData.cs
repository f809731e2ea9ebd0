namespace PlayChat.Core.Framing;

/// <summary>The data behind a <see cref="Frame"/>. The decoding loop keeps one on its stack and fills it for each frame.</summary>
/// <remarks>A frame is only a reference to it, so passing a frame on, even by value, costs a register. Copying these fields for each call
/// took longer than parsing the frame (EchoBenchmarks).</remarks>
[StructLayout(LayoutKind.Auto)]
internal struct FrameData
{
    /// <summary>The received bytes. Sliced only when a handler reads the body: slicing every frame costs ten times the parse.</summary>
    internal ReadOnlySequence<byte> Buffer;

    /// <summary>Where in <see cref="Buffer"/> the body starts.</summary>
    internal long BodyOffset;

    /// <summary>The memory the body lies in; <see langword="null"/> when it lies in more than one piece.</summary>
    internal byte[]? Array;

    /// <summary>Where in <see cref="Array"/> the body starts.</summary>
    internal int BodyStart;

    internal int BodyBytes;

    /// <summary>The format that would write the frame just as it lies in <see cref="Array"/>, header and all, if there is one.</summary>
    internal FrameFormat? Verbatim;

    internal FrameHeader Header;

    /// <summary>The receiver of this batch's frames.</summary>
    internal IFrameSink? Sink;

    /// <summary>A body that stands alone, for code that is handed frames without a connection.</summary>
    internal static FrameData OfBody(in ReadOnlySequence<byte> body, FrameHeader header = default)
    {
        var data = new FrameData { Buffer = body, BodyBytes = checked((int)body.Length), Header = header };
        if (body.IsSingleSegment && MemoryMarshal.TryGetArray(body.First, out ArraySegment<byte> array))
        {
            (data.Array, data.BodyStart) = (array.Array, array.Offset);
        }

        return data;
    }
}
