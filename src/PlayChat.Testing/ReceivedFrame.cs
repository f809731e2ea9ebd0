namespace PlayChat.Testing;

/// <summary>A frame that a client of a harness has received.</summary>
/// <param name="Header">The header's fields, such as packet id and request id.</param>
/// <param name="Body">The body; a copy, so you may keep it.</param>
/// <param name="Message">The decoded message; <see langword="null"/> if the harness does not know the packet, or the body is malformed.
/// A raw message is a copy. Do not read the message of another transient type: its memory is no longer valid.</param>
public sealed record ReceivedFrame(FrameHeader Header, ReadOnlyMemory<byte> Body, object? Message);
