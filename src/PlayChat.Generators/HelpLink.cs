using System.Reflection;

namespace PlayChat.Generators;

/// <summary>Where docs/reference/diagnostics.md explains a diagnostic.</summary>
internal static class HelpLink
{
    // What the build knows of the clone's remote. Without one the link is a path in the repository.
    private static readonly string? s_repository = typeof(HelpLink).Assembly
        .GetCustomAttributes<AssemblyMetadataAttribute>()
        .FirstOrDefault(static data => data.Key == "RepositoryUrl" && !string.IsNullOrEmpty(data.Value))?.Value;

    public static string Of(string id) => Of(id, s_repository);

    internal static string Of(string id, string? repository)
    {
        string page = $"docs/reference/diagnostics.md#{id.ToLowerInvariant()}";
        if (repository is null)
        {
            return page;
        }

        string address = repository.TrimEnd('/');
        address = address.EndsWith(".git", StringComparison.Ordinal) ? address.Substring(0, address.Length - 4) : address;
        return $"{address}/blob/main/{page}";
    }
}
