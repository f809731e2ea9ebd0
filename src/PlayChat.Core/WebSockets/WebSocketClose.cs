using System.Text.Unicode;

namespace PlayChat.Core.WebSockets;

/// <summary>The close frames of this side, and the rules for those of the client. The codes: proto/close-codes.json.</summary>
internal static class WebSocketClose
{
    private const ushort ProtocolError = CloseCodes.ProtocolError;
    private const ushort WrongType = CloseCodes.WrongType;
    private const ushort BadText = CloseCodes.BadText;
    private const ushort TooLarge = CloseCodes.TooLarge;

    /// <summary>The close frame that tells a client why the server closes.</summary>
    internal static byte[] Frame(CloseReason reason) =>
        reason == CloseReason.None ? Frame(CloseCodes.Normal, "") : Frame(CloseCodes.CodeOf(reason), reason.ToString());

    /// <summary>The close frame that answers the client's.</summary>
    /// <param name="code">The client's code; 0 if it sent none.</param>
    internal static byte[] Answer(ushort code) =>
        code == 0 ? WebSocketHeader.CreateControlFrame(WebSocketOpcode.Close, []) : Frame(code, "");

    /// <summary>The close frame that tells a client which rule it has broken, in the words of the problem where it has some.</summary>
    internal static byte[] Frame(WebSocketFault fault, string? problem = null)
    {
        (ushort code, string text, _) = Of(fault);
        return Frame(code, problem ?? text);
    }

    /// <summary>What a broken rule means.</summary>
    internal static (ushort Code, string Text, CloseReason Reason) Of(WebSocketFault fault) => fault switch
    {
        WebSocketFault.NotMasked => (ProtocolError, "A client must mask its frames.", CloseReason.ProtocolViolation),
        WebSocketFault.ReservedBits => (
            ProtocolError, "A reserved bit is set; no extension was agreed on.", CloseReason.ProtocolViolation),
        WebSocketFault.UnknownOpcode => (ProtocolError, "The opcode of a frame is unknown.", CloseReason.ProtocolViolation),
        WebSocketFault.ControlTooLong => (ProtocolError, "A control frame has more than 125 bytes.", CloseReason.ProtocolViolation),
        WebSocketFault.ControlFragmented => (ProtocolError, "A control frame is fragmented.", CloseReason.ProtocolViolation),
        WebSocketFault.LengthNotMinimal => (ProtocolError, "A length uses more bytes than it needs.", CloseReason.ProtocolViolation),
        WebSocketFault.LengthTooLarge => (ProtocolError, "The highest bit of a length is set.", CloseReason.ProtocolViolation),
        WebSocketFault.NothingToContinue => (
            ProtocolError, "A continuation frame has no message to continue.", CloseReason.ProtocolViolation),
        WebSocketFault.MessageNotFinished => (
            ProtocolError, "A message begins before the last one has ended.", CloseReason.ProtocolViolation),
        WebSocketFault.TextMessage => (
            WrongType, "Send binary messages; text needs the subprotocol playchat.v1.json.", CloseReason.ProtocolViolation),
        WebSocketFault.BinaryMessage => (
            WrongType, "Send text messages; binary needs the subprotocol playchat.v1.", CloseReason.ProtocolViolation),
        WebSocketFault.BadClosePayload => (ProtocolError, "The code of a close frame is invalid.", CloseReason.ProtocolViolation),
        WebSocketFault.CloseReasonNotUtf8 => (BadText, "The text of a close frame is not UTF-8.", CloseReason.ProtocolViolation),
        WebSocketFault.MessageTooLarge => (TooLarge, "The message is longer than the server takes.", CloseReason.FrameTooLarge),
        WebSocketFault.TextNotUtf8 => (BadText, "A text message is not UTF-8.", CloseReason.ProtocolViolation),
        WebSocketFault.BadJson => (BadText, "A message is not a packet as JSON.", CloseReason.ProtocolViolation),
        _ => throw new ArgumentOutOfRangeException(nameof(fault), fault, "This is no fault."),
    };

    /// <summary>Checks the payload of a client's close frame (RFC 6455, sections 5.5.1 and 7.4).</summary>
    internal static WebSocketFault FindFault(ReadOnlySpan<byte> payload)
    {
        if (payload.IsEmpty)
        {
            return WebSocketFault.None;
        }

        if (payload.Length < sizeof(ushort) || !IsAllowed(BinaryPrimitives.ReadUInt16BigEndian(payload)))
        {
            return WebSocketFault.BadClosePayload;
        }

        return Utf8.IsValid(payload[sizeof(ushort)..]) ? WebSocketFault.None : WebSocketFault.CloseReasonNotUtf8;
    }

    /// <summary>Makes a close frame. The text is cut at 123 bytes of UTF-8, which is all that fits.</summary>
    internal static byte[] Frame(ushort code, string text)
    {
        Span<byte> payload = stackalloc byte[WebSocketHeader.MaxControlBytes];
        BinaryPrimitives.WriteUInt16BigEndian(payload, code);
        Utf8.FromUtf16(text, payload[sizeof(ushort)..], out _, out int bytes);
        return WebSocketHeader.CreateControlFrame(WebSocketOpcode.Close, payload[..(sizeof(ushort) + bytes)]);
    }

    // 1004, 1005, 1006 and 1015 must not be sent. 1016 to 2999 belong to later versions of the specification.
    private static bool IsAllowed(ushort code) => code is >= 1000 and <= 1003 or >= 1007 and <= 1014 or >= 3000 and <= 4999;
}
