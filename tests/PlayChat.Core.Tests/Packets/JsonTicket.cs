namespace PlayChat.Core.Tests.Packets;

/// <summary>A message with a property that must not be missing.</summary>
internal sealed record JsonTicket
{
    public required int Number { get; init; }
}
