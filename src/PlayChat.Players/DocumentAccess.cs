namespace PlayChat.Players;

/// <summary>For whom a document is read. The numbers are stored.</summary>
public enum DocumentAccess
{
    /// <summary>The server alone reads the document.</summary>
    ServerOnly = 0,

    /// <summary>The server also reads the document on behalf of its owner, but of no other player.</summary>
    OwnerReadable = 1,
}
