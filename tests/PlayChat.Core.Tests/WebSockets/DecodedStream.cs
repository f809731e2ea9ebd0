using System.Runtime.InteropServices;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Tests.WebSockets;

/// <summary>What a decoder makes of a stream that comes in pieces.</summary>
internal sealed class DecodedStream
{
    internal List<byte> Payload { get; } = [];

    internal List<string> Pings { get; } = [];

    internal WebSocketFault Fault { get; set; }

    internal bool IsClosed { get; set; }

    internal ushort CloseCode { get; set; }

    internal static DecodedStream Of(
        IEnumerable<byte[]> pieces, WebSocketOpcode opcode = WebSocketOpcode.Binary, int maxMessageBytes = 1 << 20)
    {
        var decoder = new WebSocketDecoder(opcode, maxMessageBytes);
        var stream = new DecodedStream();
        foreach (byte[] piece in pieces)
        {
            byte[] bytes = [.. piece];
            int payload = decoder.Decode(bytes, out int consumed);
            Assert.True(consumed == piece.Length || decoder.HasEnded);
            stream.Payload.AddRange(bytes.AsSpan(0, payload));
            if (decoder.TryTakePing(out ReadOnlySpan<byte> ping))
            {
                stream.Pings.Add(Convert.ToHexString(ping));
            }
        }

        (stream.Fault, stream.IsClosed, stream.CloseCode) = (decoder.Fault, decoder.IsClosed, decoder.CloseCode);
        return stream;
    }

    internal byte[] ToArray() => CollectionsMarshal.AsSpan(Payload).ToArray();
}
