using System.Reflection;

namespace PlayChat.Generators;

/// <summary>Where docs/reference/diagnostics.md explains a diagnostic.</summary>
internal static class HelpLink
{
    // What the build knows of the clone's remote. Without one there is no link: a path would lead nowhere from a package. The page is in
    // the package, too.
    private static readonly string? s_repository = typeof(HelpLink).Assembly
        .GetCustomAttributes<AssemblyMetadataAttribute>()
        .FirstOrDefault(static data => data.Key == "RepositoryUrl" && !string.IsNullOrEmpty(data.Value))?.Value;

    public static string Of(string id) => Of(id, s_repository);

    internal static string Of(string id, string? repository)
    {
        if (repository is null)
        {
            return "";
        }

        string address = repository.TrimEnd('/');
        address = address.EndsWith(".git", StringComparison.Ordinal) ? address.Substring(0, address.Length - 4) : address;
        return $"{address}/blob/main/docs/reference/diagnostics.md#{id.ToLowerInvariant()}";
    }
}
