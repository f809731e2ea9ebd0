namespace PlayChat.Storage;

/// <summary>Makes text that every database takes, so that no record can block the log for ever.</summary>
internal static class StorableText
{
    // PostgreSQL refuses U+0000 and SQLite's text functions end there.
    public static string From(string text) => text.Replace('\0', '\uFFFD');
}
