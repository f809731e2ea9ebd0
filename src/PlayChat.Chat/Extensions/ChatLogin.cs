namespace PlayChat.Chat.Extensions;

/// <summary>What a client sent to log in.</summary>
/// <param name="Name">Not checked; may be empty.</param>
/// <param name="Password">A password, or your token: up to about 4,000 bytes of UTF-8. Do not log it.</param>
/// <param name="Peer">Where the client is.</param>
public sealed record ChatLogin(string Name, string Password, EndPoint? Peer)
{
    /// <summary>The login without its password.</summary>
    public override string ToString() => $"{Name} at {Peer}";
}
