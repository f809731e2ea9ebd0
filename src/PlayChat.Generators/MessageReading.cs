namespace PlayChat.Generators;

/// <summary>What was read of one [PacketId] attribute.</summary>
/// <param name="Id">The packet's id; <see langword="null"/> when there is a problem.</param>
/// <param name="Type">The message, as generated code writes it.</param>
/// <param name="Name">The message's name for people.</param>
/// <param name="IsFailure">Whether the packet says that a request has failed.</param>
/// <param name="Place">Where the attribute stands.</param>
internal sealed record MessageReading(ushort? Id, string Type, string Name, bool IsFailure, Place Place, EquatableArray<Problem> Problems);
