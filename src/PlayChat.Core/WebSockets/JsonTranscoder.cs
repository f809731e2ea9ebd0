namespace PlayChat.Core.WebSockets;

/// <summary>Turns the text messages of one link into packets, and packets into text messages.</summary>
/// <remarks>
/// <para>Receiving and sending use separate state, so each may run on a thread of its own.</para>
/// <para>
/// Bounds: the decoder ends a message that is too long, and the packets that are read from one receive wait here until they are taken. A
/// number takes at most about five times as many bytes in a packet as in JSON.
/// </para>
/// </remarks>
internal sealed class JsonTranscoder(PacketJson json)
{
    private ArrayBufferWriter<byte>? _message; // what came of the message at hand
    private ArrayBufferWriter<byte>? _packets; // what was read and not taken
    private int _taken;

    /// <summary>What was wrong with the last message, in a sentence.</summary>
    internal string? Problem { get; private set; }

    internal bool HasPackets => _packets is not null;

    /// <summary>What is held of the message at hand.</summary>
    internal int GatheredBytes => _message?.WrittenCount ?? 0;

    internal WebSocketFault Add(ReadOnlySpan<byte> part, bool endsMessage)
    {
        (_message ??= new ArrayBufferWriter<byte>()).Write(part);
        if (!endsMessage)
        {
            return WebSocketFault.None;
        }

        ArrayBufferWriter<byte> message = _message;
        _message = null;
        bool isPacket = json.TryRead(
            message.WrittenMemory, _packets ??= new ArrayBufferWriter<byte>(), out WebSocketFault fault, out string? problem);
        Problem = isPacket ? null : problem;
        if (_packets.WrittenCount == 0)
        {
            _packets = null;
        }

        return fault;
    }

    /// <summary>Takes packets that were read.</summary>
    /// <returns>How many bytes of <paramref name="destination"/> were filled.</returns>
    internal int Take(Span<byte> destination)
    {
        if (_packets is null)
        {
            return 0;
        }

        ReadOnlySpan<byte> waiting = _packets.WrittenSpan[_taken..];
        int taken = Math.Min(waiting.Length, destination.Length);
        waiting[..taken].CopyTo(destination);
        _taken += taken;
        if (taken == waiting.Length)
        {
            (_packets, _taken) = (null, 0);
        }

        return taken;
    }

    /// <summary>Makes one text message of each packet.</summary>
    /// <param name="packets">Whole packets.</param>
    internal ReadOnlyMemory<byte> Encode(ReadOnlySpan<byte> packets)
    {
        var messages = new ArrayBufferWriter<byte>(packets.Length * 2);
        var text = new ArrayBufferWriter<byte>();
        while (packets.Length >= PacketCodec.PacketHeaderBytes)
        {
            int bytes = sizeof(int) + BinaryPrimitives.ReadInt32BigEndian(packets);
            text.ResetWrittenCount();
            json.Write(packets[..bytes], text);
            messages.Advance(WebSocketHeader.Write(messages.GetSpan(WebSocketHeader.MaxBytes), WebSocketOpcode.Text, text.WrittenCount));
            messages.Write(text.WrittenSpan);
            packets = packets[bytes..];
        }

        return messages.WrittenMemory;
    }
}
