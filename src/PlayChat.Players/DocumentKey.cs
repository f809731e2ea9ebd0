namespace PlayChat.Players;

/// <summary>Identifies a document: whose it is, in which collection, under which key.</summary>
public readonly record struct DocumentKey
{
    /// <summary>Creates the key of a document.</summary>
    /// <param name="player">The owner: 1 to 128 characters, no control characters, no space at its ends. Compared exactly.</param>
    /// <param name="collection">1 to 64 visible ASCII characters, such as <c>items</c>.</param>
    /// <param name="key">1 to 128 visible ASCII characters. Keys sort by their characters' codes.</param>
    /// <exception cref="ArgumentException">A part is longer, or has other characters.</exception>
    public DocumentKey(string player, string collection, string key)
    {
        Player = Names.CheckPlayer(player);
        Collection = Names.Check(collection, Names.MaxCollectionLength);
        Key = Names.Check(key, Names.MaxKeyLength);
    }

    /// <summary>The owner.</summary>
    public string Player { get; }

    /// <summary>The collection.</summary>
    public string Collection { get; }

    /// <summary>The key within the owner's collection.</summary>
    public string Key { get; }

    /// <summary>Owner, collection and key with slashes between them.</summary>
    public override string ToString() => $"{Player}/{Collection}/{Key}";

    // One order for all transactions: two of them never wait for each other's documents.
    internal static int CompareInLockOrder(DocumentKey one, DocumentKey other)
    {
        int order = string.CompareOrdinal(one.Player, other.Player);
        order = order != 0 ? order : string.CompareOrdinal(one.Collection, other.Collection);
        return order != 0 ? order : string.CompareOrdinal(one.Key, other.Key);
    }
}
