namespace PlayChat.Players;

/// <summary>An idempotency key: a transaction with the key of one that has happened does nothing, and returns the result of the
/// first.</summary>
public readonly record struct TransactionKey
{
    /// <summary>Creates a key.</summary>
    /// <param name="player">The player that pays or acts; the same rules as for <see cref="DocumentKey"/>. A key is unique for its
    /// player.</param>
    /// <param name="key">1 to 128 visible ASCII characters, such as an order number that the client keeps while it tries again.</param>
    /// <exception cref="ArgumentException">A part is longer, or has other characters.</exception>
    public TransactionKey(string player, string key)
    {
        Player = Names.CheckPlayer(player);
        Key = Names.Check(key, Names.MaxKeyLength);
    }

    /// <summary>The player.</summary>
    public string Player { get; }

    /// <summary>The key.</summary>
    public string Key { get; }
}
