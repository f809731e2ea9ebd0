namespace PlayChat.Players;

/// <summary>An idempotency key: a transaction with the key of one that has happened does nothing, and returns the result of the
/// first.</summary>
/// <param name="Player">The player that pays or acts; the same rules as for <see cref="DocumentKey"/>. A key is unique for its
/// player.</param>
/// <param name="Key">1 to 128 visible ASCII characters, such as an order number that the client keeps while it tries again.</param>
/// <exception cref="ArgumentException">A part is longer, or has other characters.</exception>
public readonly record struct TransactionKey(string Player, string Key)
{
    /// <summary>The player.</summary>
    public string Player { get; } = Names.CheckPlayer(Player);

    /// <summary>The key.</summary>
    public string Key { get; } = Names.Check(Key, Names.MaxKeyLength);
}
