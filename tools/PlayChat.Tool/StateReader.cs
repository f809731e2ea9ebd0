using PlayChat.State;

namespace PlayChat.Tool;

/// <summary>Reads classes with [SyncState] into the model that PlayChat.State describes them with.</summary>
internal static class StateReader
{
    private const string Package = "PlayChat.State.";

    /// <summary>The classes by name.</summary>
    public static List<SyncType> Read(IEnumerable<Type> types)
    {
        var known = new Dictionary<Type, SyncType>();
        foreach (Type type in types.Where(IsState).OrderBy(static type => type.FullName, StringComparer.Ordinal))
        {
            known[type] = new SyncType(type.Name, [.. FieldsOf(type, found => known[found]).OrderBy(static field => field.Number)]);
        }

        return [.. known.Values];
    }

    private static bool IsState(Type type) => type.Find(Package + "SyncStateAttribute") is not null;

    private static IEnumerable<SyncField> FieldsOf(Type type, Func<Type, SyncType> find) =>
        from field in type.GetFields(System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic)
        let sync = field.Find(Package + "SyncAttribute")
        where sync is not null
        let declared = Annotated.Of(field.FieldType, field, [])
        let name = field.Name.TrimStart('_')
        select new SyncField(
            sync.Argument<int>(0),
            char.ToUpperInvariant(name[0]) + name[1..],
            SpecOf(declared, find),
            sync.Named<bool>("Viewed"),
            declared.CanBeNull);

    private static SyncSpec SpecOf(Annotated type, Func<Type, SyncType> find) => type.Type.Name switch
    {
        "SyncList`1" => new SyncSpec(SyncKind.List) { Item = SpecOf(type.Arguments[0], find) },
        "SyncMap`2" => new SyncSpec(SyncKind.Map) { Key = SpecOf(type.Arguments[0], find), Item = SpecOf(type.Arguments[1], find) },
        _ when IsState(type.Type) => new SyncSpec(SyncKind.Object) { Find = () => find(type.Type) },
        _ => (type.Type.IsEnum ? type.Type.GetEnumUnderlyingType().Name : type.Type.Name) switch
        {
            "Boolean" => SyncSpec.Of(SyncKind.Boolean),
            "String" => SyncSpec.Of(SyncKind.Text),
            "Int64" or "UInt64" => SyncSpec.Of(SyncKind.Signed, isWide: true),
            _ => SyncSpec.Of(SyncKind.Double),
        },
    };
}
