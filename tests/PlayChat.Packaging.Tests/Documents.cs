namespace PlayChat.Packaging.Tests;

/// <summary>The documents for those who use PlayChat, by their paths in the repository.</summary>
internal static class Documents
{
    public const string Guide = "docs/tutorial/getting-started.md";

    public static IReadOnlyList<string> All { get; } =
    [
        "README.md",
        "ARCHITECTURE.md",
        .. Find("docs"),
        .. Find("samples"),
        .. Find("src"),
        "templates/README.md",
    ];

    private static IEnumerable<string> Find(string folder) =>
        Directory.GetFiles(Repository.PathOf(folder), "*.md", SearchOption.AllDirectories)
            .Select(static file => Path.GetRelativePath(Repository.PathOf("."), file).Replace('\\', '/'))
            .Where(static file => !file.Contains("/bin/", StringComparison.Ordinal) && !file.Contains("/obj/", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal);
}
