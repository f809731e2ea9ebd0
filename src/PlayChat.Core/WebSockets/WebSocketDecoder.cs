namespace PlayChat.Core.WebSockets;

/// <summary>Takes the payload of a client's messages out of a WebSocket stream, in place (RFC 6455, section 5).</summary>
/// <remarks>
/// <para>
/// A mutable struct, embedded in its link: never copied. Between calls it holds the place in the stream, at most 13 bytes of a header, and
/// the payload of a control frame. It takes no memory for messages.
/// </para>
/// <para>
/// Invariants: <c>_remaining</c> bytes of the frame at hand are missing while <c>_isInFrame</c>; otherwise <c>_header</c> has the first
/// <c>_headerBytes</c> of the next header. Nothing is decoded after a fault or a close frame.
/// </para>
/// </remarks>
/// <param name="dataOpcode">What messages are on this link: text or binary.</param>
/// <param name="maxMessageBytes">The longest message, over all its fragments.</param>
/// <param name="stopsAtMessageEnd">Whether a call returns at the end of each message.</param>
internal struct WebSocketDecoder(WebSocketOpcode dataOpcode, int maxMessageBytes, bool stopsAtMessageEnd = false)
{
    private const int Final = 0x80;
    private const int Reserved = 0x70;
    private const int OpcodeBits = 0x0F;
    private const int ControlBit = 0x08;
    private const int Masked = 0x80;
    private const int LengthBits = 0x7F;
    private const int LengthIn2Bytes = 126;
    private const int LengthIn8Bytes = 127;
    private const int MaskBytes = 4;

    private readonly WebSocketOpcode _dataOpcode = dataOpcode;
    private readonly int _maxMessageBytes = maxMessageBytes;
    private readonly bool _stopsAtMessageEnd = stopsAtMessageEnd;
    private HeaderBytes _header;
    private byte _headerBytes;
    private bool _isInFrame;
    private bool _isFinal;
    private bool _isInMessage;
    private WebSocketOpcode _opcode;
    private byte _controlBytes;
    private uint _mask; // turned so that its first byte is for the next payload byte
    private int _messageBytes; // of the message at hand, the frame at hand included
    private int _remaining;
    private byte[]? _control; // the payload of the control frame at hand; made with the first one
    private byte[]? _ping; // the payload of the newest ping; the two change places
    private byte _pingBytes;
    private bool _hasPing;

    /// <summary>The rule that the client has broken.</summary>
    internal WebSocketFault Fault { get; private set; }

    /// <summary>Whether the client has sent its close frame.</summary>
    internal bool IsClosed { get; private set; }

    /// <summary>The code of that frame; 0 if it had none.</summary>
    internal ushort CloseCode { get; private set; }

    /// <summary>Whether the last call has reached the end of a message.</summary>
    internal bool EndsMessage { get; private set; }

    /// <summary>Whether nothing more is decoded.</summary>
    internal readonly bool HasEnded => IsClosed || Fault != WebSocketFault.None;

    /// <summary>Whether no frame and no message has begun that has not ended.</summary>
    internal readonly bool IsBetweenMessages => !_isInFrame && !_isInMessage && _headerBytes == 0;

    /// <summary>Moves the payload of data frames to the front.</summary>
    /// <param name="bytes">What was received. Its content behind the payload is undefined afterwards.</param>
    /// <param name="consumed">How much of it was decoded: all, or less at the end of a message or of the stream.</param>
    /// <returns>How many bytes of payload stand at the front of <paramref name="bytes"/>.</returns>
    internal int Decode(Span<byte> bytes, out int consumed)
    {
        int at = 0;
        int written = 0;
        EndsMessage = false;
        while (at < bytes.Length && !HasEnded)
        {
            if (!_isInFrame && !TryReadHeader(bytes, ref at))
            {
                break;
            }

            int taken = Math.Min(_remaining, bytes.Length - at);
            if (IsControl(_opcode))
            {
                TakeControl(bytes.Slice(at, taken));
            }
            else
            {
                _mask = WebSocketMask.Apply(bytes.Slice(at, taken), bytes[written..], _mask);
                written += taken;
            }

            at += taken;
            _remaining -= taken;
            if (_remaining > 0)
            {
                break;
            }

            EndFrame();
            if (EndsMessage && _stopsAtMessageEnd)
            {
                break;
            }
        }

        consumed = at;
        return written;
    }

    /// <summary>Notes a rule that the content of a message has broken, if any.</summary>
    internal void Fail(WebSocketFault fault)
    {
        if (Fault == WebSocketFault.None)
        {
            Fault = fault;
        }
    }

    /// <summary>Takes the newest ping, unless it was taken before.</summary>
    /// <param name="payload">A view, valid until the next call of <see cref="Decode"/>.</param>
    internal bool TryTakePing(out ReadOnlySpan<byte> payload)
    {
        payload = _ping.AsSpan(0, _pingBytes);
        bool has = _hasPing;
        _hasPing = false;
        return has;
    }

    private static bool IsControl(WebSocketOpcode opcode) => ((int)opcode & ControlBit) != 0;

    /// <summary>Reads the header of the next frame.</summary>
    /// <returns><see langword="false"/> when it is not whole or breaks a rule.</returns>
    private bool TryReadHeader(ReadOnlySpan<byte> bytes, ref int at)
    {
        if (_headerBytes == 0)
        {
            int headerBytes = TakeHeader(bytes[at..]);
            if (headerBytes > 0)
            {
                at += headerBytes;
                return true;
            }

            if (Fault == WebSocketFault.None)
            {
                bytes[at..].CopyTo(_header);
                _headerBytes = (byte)(bytes.Length - at);
                at = bytes.Length;
            }

            return false;
        }

        // The end of a receive has cut the header: at most 13 bytes are missing.
        Span<byte> header = _header;
        while (at < bytes.Length && Fault == WebSocketFault.None)
        {
            header[_headerBytes++] = bytes[at++];
            if (TakeHeader(header[.._headerBytes]) > 0)
            {
                _headerBytes = 0;
                return true;
            }
        }

        return false;
    }

    /// <summary>Judges as much of a header as is there, and begins its frame when it is whole.</summary>
    /// <returns>The header's length; 0 when it is not whole or breaks a rule.</returns>
    private int TakeHeader(ReadOnlySpan<byte> header)
    {
        if (header.Length < 2)
        {
            return 0;
        }

        var opcode = (WebSocketOpcode)(header[0] & OpcodeBits);
        bool isFinal = (header[0] & Final) != 0;
        int shortLength = header[1] & LengthBits;
        Fault = Judge(header[0], header[1], opcode, isFinal, shortLength);
        int lengthBytes = shortLength switch { LengthIn2Bytes => 2, LengthIn8Bytes => 8, _ => 0 };
        if (Fault != WebSocketFault.None || header.Length < 2 + lengthBytes)
        {
            return 0;
        }

        ulong length = lengthBytes switch
        {
            2 => BinaryPrimitives.ReadUInt16BigEndian(header[2..]),
            8 => BinaryPrimitives.ReadUInt64BigEndian(header[2..]),
            _ => (ulong)shortLength,
        };
        int messageBytes = opcode == WebSocketOpcode.Continuation ? _messageBytes : 0;
        Fault = lengthBytes == 2 && length < LengthIn2Bytes || lengthBytes == 8 && length <= ushort.MaxValue
            ? WebSocketFault.LengthNotMinimal
            : length > long.MaxValue ? WebSocketFault.LengthTooLarge
            : !IsControl(opcode) && length > (ulong)(_maxMessageBytes - messageBytes) ? WebSocketFault.MessageTooLarge
            : WebSocketFault.None;
        int headerBytes = 2 + lengthBytes + MaskBytes;
        if (Fault != WebSocketFault.None || header.Length < headerBytes)
        {
            return 0;
        }

        _mask = MemoryMarshal.Read<uint>(header[(headerBytes - MaskBytes)..]);
        _opcode = opcode;
        _isFinal = isFinal;
        _isInFrame = true;
        _remaining = (int)length;
        if (IsControl(opcode))
        {
            _controlBytes = 0;
        }
        else
        {
            _isInMessage = true;
            _messageBytes = messageBytes + (int)length;
        }

        return headerBytes;
    }

    private readonly WebSocketFault Judge(byte first, byte second, WebSocketOpcode opcode, bool isFinal, int shortLength)
    {
        if ((first & Reserved) != 0)
        {
            return WebSocketFault.ReservedBits;
        }

        if ((second & Masked) == 0)
        {
            return WebSocketFault.NotMasked;
        }

        switch (opcode)
        {
            case WebSocketOpcode.Close or WebSocketOpcode.Ping or WebSocketOpcode.Pong:
                return shortLength > WebSocketHeader.MaxControlBytes ? WebSocketFault.ControlTooLong
                    : isFinal ? WebSocketFault.None
                    : WebSocketFault.ControlFragmented;
            case WebSocketOpcode.Continuation:
                return _isInMessage ? WebSocketFault.None : WebSocketFault.NothingToContinue;
            case WebSocketOpcode.Text or WebSocketOpcode.Binary:
                return _isInMessage ? WebSocketFault.MessageNotFinished
                    : opcode == _dataOpcode ? WebSocketFault.None
                    : opcode == WebSocketOpcode.Text ? WebSocketFault.TextMessage
                    : WebSocketFault.BinaryMessage;
            default:
                return WebSocketFault.UnknownOpcode;
        }
    }

    private void TakeControl(ReadOnlySpan<byte> payload)
    {
        if (payload.IsEmpty)
        {
            return;
        }

        _control ??= new byte[WebSocketHeader.MaxControlBytes];
        _mask = WebSocketMask.Apply(payload, _control.AsSpan(_controlBytes), _mask);
        _controlBytes += (byte)payload.Length;
    }

    private void EndFrame()
    {
        _isInFrame = false;
        switch (_opcode)
        {
            case WebSocketOpcode.Ping:
                (_ping, _control) = (_control, _ping);
                (_pingBytes, _hasPing) = (_controlBytes, true);
                break;
            case WebSocketOpcode.Close:
                EndStream(_control.AsSpan(0, _controlBytes));
                break;
            case WebSocketOpcode.Pong:
                break; // nothing here sends pings, and an unasked pong needs no answer
            default:
                EndsMessage = _isFinal;
                _isInMessage = !_isFinal;
                break;
        }
    }

    private void EndStream(ReadOnlySpan<byte> payload)
    {
        Fault = WebSocketClose.FindFault(payload);
        if (Fault == WebSocketFault.None)
        {
            CloseCode = payload.IsEmpty ? (ushort)0 : BinaryPrimitives.ReadUInt16BigEndian(payload);
            IsClosed = true;
        }
    }

    /// <summary>Room for the beginning of the longest header.</summary>
    [InlineArray(2 + sizeof(ulong) + MaskBytes)]
    private struct HeaderBytes
    {
        private byte _first;
    }
}
