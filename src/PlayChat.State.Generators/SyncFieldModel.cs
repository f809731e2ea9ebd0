using Microsoft.CodeAnalysis;

namespace PlayChat.Generators;

/// <summary>A field with [Sync], as code that deals with it.</summary>
/// <param name="Number">Its number.</param>
/// <param name="Field">Its name.</param>
/// <param name="Property">The property's name.</param>
/// <param name="Declaration">The property's accessibility and type.</param>
/// <param name="Kind">What it holds.</param>
/// <param name="IsViewed">Whether only some members see it.</param>
/// <param name="Form">How values are written, and turned into values and back.</param>
/// <param name="Key">The same for the keys of a map.</param>
internal sealed record SyncFieldModel(
    int Number, string Field, string Property, string Declaration, SyncFieldKind Kind, bool IsViewed, SyncForm Form, SyncForm? Key)
{
    public static string PropertyOf(IFieldSymbol field)
    {
        string name = field.Name.TrimStart('_');
        return name.Length == 0 ? "" : char.ToUpperInvariant(name[0]) + name.Substring(1);
    }
}
