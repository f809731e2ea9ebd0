using PlayChat.Core.Packets;

namespace PlayChat_Game.Messages;

// The number of a message is its packet's on the wire: give each new message a new one, and leave the others as they are.

/// <summary>Client: I am here. Answered by <see cref="Joined"/>.</summary>
[PacketId(1, Answer = typeof(Joined))]
public sealed record Join(string Name);

/// <summary>Server: you are in, with these others; or why not.</summary>
[PacketId(2)]
public sealed record Joined(string? Refusal, IReadOnlyList<string> Others);

/// <summary>Client: says something to all players.</summary>
[PacketId(3)]
public sealed record Say(string Text);

/// <summary>Server: a player has said something.</summary>
[PacketId(4)]
public sealed record Said(string Name, string Text);

/// <summary>Server: another player has joined.</summary>
[PacketId(5)]
public sealed record PlayerCame(string Name);

/// <summary>Server: a player has left.</summary>
[PacketId(6)]
public sealed record PlayerLeft(string Name);
