namespace PlayChat_Game.Messages;

/// <summary>Client: I am here. Answered by <see cref="Joined"/>.</summary>
public sealed record Join(string Name);

/// <summary>Server: you are in; or why not.</summary>
public sealed record Joined(string? Refusal = null);

/// <summary>Client: says something to everybody.</summary>
public sealed record Say(string Text);

/// <summary>Server: somebody has said something.</summary>
public sealed record Said(string Name, string Text);

/// <summary>Server: somebody else is here.</summary>
public sealed record PlayerCame(string Name);

/// <summary>Server: somebody is not here any more.</summary>
public sealed record PlayerLeft(string Name);
