using System.Text;

namespace PlayChat.Storage;

/// <summary>Makes text that every database takes, so that no record blocks the log permanently.</summary>
internal static class StorableText
{
    /// <summary>Replaces U+0000, which PostgreSQL refuses and at which SQLite's text functions end, and lone surrogates, which are no
    /// UTF-8.</summary>
    public static string From(string text)
    {
        string storable = text.Replace('\0', '\uFFFD');
        return storable.AsSpan().IndexOfAnyInRange('\ud800', '\udfff') < 0
            ? storable
            : Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(storable));
    }
}
