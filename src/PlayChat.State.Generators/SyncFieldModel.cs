namespace PlayChat.Generators;

/// <summary>A field with [Sync], as code that deals with it.</summary>
/// <param name="Declaration">The property's accessibility and type.</param>
/// <param name="Collection">"List", "Map", or nothing.</param>
/// <param name="Options">Further arguments of its SyncField.</param>
/// <param name="Form">How its values are written; of a list or a map, the items.</param>
/// <param name="Key">The same for the keys of a map.</param>
internal sealed record SyncFieldModel(
    int Number, string Field, string Property, string Declaration, string Collection, string Options, SyncForm Form, SyncForm? Key)
{
    public bool IsCollection => Collection.Length > 0;

    public bool IsQuantized => !IsCollection && Form.Steps is not null;

    public bool IsReference => IsCollection || Form.Kind is "Text" or "Object";

    public static string PropertyOf(IFieldSymbol field)
    {
        string name = field.Name.TrimStart('_');
        return name.Length == 0 ? "" : char.ToUpperInvariant(name[0]) + name.Substring(1);
    }
}
