namespace PlayChat.Core.Framing;

/// <summary>The fields that a frame carries beside its body. A field that a format does not have reads as 0 and is not written.</summary>
/// <remarks>Which format has which field: proto/PROTOCOL.md, "Framing".</remarks>
/// <param name="PacketId">Which message the body is. Packet format alone.</param>
/// <param name="RequestId">0 for a one-way message; otherwise the answer carries the same number. Packet format alone.</param>
/// <param name="SenderId">The id of the sender. Only the sender-prefixed format has it.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct FrameHeader(ushort PacketId = 0, ushort RequestId = 0, ushort SenderId = 0);
