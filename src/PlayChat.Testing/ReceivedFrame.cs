using PlayChat.Core.Framing;

namespace PlayChat.Testing;

/// <summary>What a client of a harness has received.</summary>
/// <param name="Header">What the format carries beside the body: packet id and request id.</param>
/// <param name="Body">A copy.</param>
/// <param name="Message">The message, where the harness knows its packet; <see langword="null"/> otherwise, and when the body is no such
/// message. A raw one is a copy; another type of which messages are views of what was received gives what is valid no more.</param>
public sealed record ReceivedFrame(FrameHeader Header, ReadOnlyMemory<byte> Body, object? Message);
