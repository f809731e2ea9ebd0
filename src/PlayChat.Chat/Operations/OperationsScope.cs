using Microsoft.AspNetCore.Http.Metadata;

namespace PlayChat.Chat.Operations;

/// <summary>Says at a route which scope a key needs for it. A route without one is for the operator's token alone.</summary>
/// <param name="Name">The scope; <see langword="null"/> for a route of a group that is for the operator's token alone.</param>
internal sealed record OperationsScope(string? Name) : IEndpointDescriptionMetadata
{
    private static readonly string[] s_areas = ["accounts", "messages", "players", "recordings", "rooms", "settings", "status", "webhooks"];

    public static IReadOnlyList<string> All { get; } =
        [.. s_areas.SelectMany(static area => new[] { area + ".read", area + ".write" }).Where(static name => name != "status.write")];

    string IEndpointDescriptionMetadata.Description =>
        Name is null ? "Needs the operator's token." : $"Needs the operator's token, or a key with the scope {Name}.";

    /// <returns>The scopes; <see langword="null"/> when one is unknown, or there is none.</returns>
    public static IReadOnlySet<string>? Parse(string text)
    {
        string[] names = text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return names.Length > 0 && names.All(static name => All.Contains(name, StringComparer.Ordinal))
            ? names.ToHashSet(StringComparer.Ordinal)
            : null;
    }
}
