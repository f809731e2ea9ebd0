namespace PlayChat.Players;

/// <summary>Identifies a document: whose it is, in which collection, under which key.</summary>
/// <param name="Player">The owner: 1 to 128 characters, no control characters, no space at its ends. Compared exactly.</param>
/// <param name="Collection">1 to 64 visible ASCII characters, such as <c>items</c>.</param>
/// <param name="Key">1 to 128 visible ASCII characters. Keys sort by their characters' codes.</param>
/// <exception cref="ArgumentException">A part is longer, or has other characters.</exception>
public readonly record struct DocumentKey(string Player, string Collection, string Key)
{
    /// <summary>The owner.</summary>
    public string Player { get; } = Names.CheckPlayer(Player);

    /// <summary>The collection.</summary>
    public string Collection { get; } = Names.Check(Collection, Names.MaxCollectionLength);

    /// <summary>The key within the owner's collection.</summary>
    public string Key { get; } = Names.Check(Key, Names.MaxKeyLength);

    /// <summary>Owner, collection and key with slashes between them.</summary>
    public override string ToString() => $"{Player}/{Collection}/{Key}";
}
