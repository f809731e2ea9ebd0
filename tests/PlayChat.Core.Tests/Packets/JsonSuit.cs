namespace PlayChat.Core.Tests.Packets;

/// <summary>An enum in a message.</summary>
internal enum JsonSuit
{
    Clubs,
    Hearts,
}
