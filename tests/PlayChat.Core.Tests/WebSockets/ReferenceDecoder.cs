using System.Buffers.Binary;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Tests.WebSockets;

/// <summary>A decoder that is as plain as can be, to compare with: it has the whole stream and copies each frame.</summary>
internal static class ReferenceDecoder
{
    internal static DecodedStream Decode(byte[] stream, int maxMessageBytes)
    {
        var result = new DecodedStream();
        using var reader = new BinaryReader(new MemoryStream(stream));
        try
        {
            int messageBytes = -1; // no message has begun
            while (result.Fault == WebSocketFault.None && !result.IsClosed)
            {
                result.Fault = ReadFrame(reader, result, maxMessageBytes, ref messageBytes);
            }
        }
        catch (EndOfStreamException)
        {
            // The stream ends within a frame, or between two.
        }

        return result;
    }

    private static WebSocketFault ReadFrame(BinaryReader reader, DecodedStream result, int maxMessageBytes, ref int messageBytes)
    {
        int first = reader.ReadByte();
        int second = reader.ReadByte();
        int opcode = first & 15;
        bool isFinal = first >= 128;
        bool isControl = opcode >= 8;
        if ((first & 0x70) != 0)
        {
            return WebSocketFault.ReservedBits;
        }

        if (second < 128)
        {
            return WebSocketFault.NotMasked;
        }

        if (opcode is not (0 or 1 or 2 or 8 or 9 or 10))
        {
            return WebSocketFault.UnknownOpcode;
        }

        long length = second - 128;
        if (isControl && length > 125)
        {
            return WebSocketFault.ControlTooLong;
        }

        if (isControl && !isFinal)
        {
            return WebSocketFault.ControlFragmented;
        }

        if (opcode == 0 && messageBytes < 0)
        {
            return WebSocketFault.NothingToContinue;
        }

        if (opcode is 1 or 2 && messageBytes >= 0)
        {
            return WebSocketFault.MessageNotFinished;
        }

        if (opcode == 1)
        {
            return WebSocketFault.TextMessage;
        }

        int lengthBytes = length switch { 126 => 2, 127 => 8, _ => 0 };
        if (lengthBytes > 0)
        {
            byte[] bytes = Read(reader, lengthBytes);
            length = lengthBytes == 2 ? BinaryPrimitives.ReadUInt16BigEndian(bytes) : BinaryPrimitives.ReadInt64BigEndian(bytes);
            if (length >= 0 && length < (lengthBytes == 2 ? 126 : 65_536))
            {
                return WebSocketFault.LengthNotMinimal;
            }

            if (length < 0)
            {
                return WebSocketFault.LengthTooLarge;
            }
        }

        if (!isControl && length > maxMessageBytes - Math.Max(0, messageBytes))
        {
            return WebSocketFault.MessageTooLarge;
        }

        byte[] mask = Read(reader, 4);
        List<byte> payload = isControl ? [] : result.Payload;
        int start = payload.Count;
        for (int i = 0; i < length; i++)
        {
            payload.Add((byte)(reader.ReadByte() ^ mask[i % 4]));
        }

        if (opcode == 8)
        {
            byte[] close = [.. payload.Skip(start)];
            WebSocketFault fault = WebSocketClose.FindFault(close);
            result.IsClosed = fault == WebSocketFault.None;
            result.CloseCode = result.IsClosed && close.Length > 0 ? BinaryPrimitives.ReadUInt16BigEndian(close) : (ushort)0;
            return fault;
        }

        if (!isControl)
        {
            messageBytes = isFinal ? -1 : Math.Max(0, messageBytes) + (int)length;
        }

        return WebSocketFault.None;
    }

    private static byte[] Read(BinaryReader reader, int count)
    {
        byte[] bytes = reader.ReadBytes(count);
        return bytes.Length == count ? bytes : throw new EndOfStreamException();
    }
}
