#pragma warning disable CS1591 // called by generated code alone

namespace PlayChat.State;

/// <summary>Describes a class with <see cref="SyncStateAttribute"/>, here or in a received schema. Immutable and thread-safe.</summary>
/// <remarks>The place of a field in <see cref="Fields"/> is its slot: bit i of a mask stands for slot i.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class SyncType
{
    /// <param name="name">The class's name.</param>
    /// <param name="fields">By rising number.</param>
    public SyncType(string name, params SyncField[] fields)
    {
        (Name, Fields) = (name, fields);
        Slots = (1UL << fields.Length) - 1;
        Collections = SlotsOf(static field => field.Spec.IsCollection);
        References = SlotsOf(static field => field.Spec.Kind is SyncKind.Text or >= SyncKind.Object);
        ViewedMaps = SlotsOf(static field => field is { IsViewed: true, Spec.Kind: SyncKind.Map });
        ViewedFields = SlotsOf(static field => field.IsViewed && field.Spec.Kind != SyncKind.Map);
    }

    internal string Name { get; }

    internal SyncField[] Fields { get; }

    internal ulong Slots { get; }

    /// <summary>The slots of lists and maps.</summary>
    internal ulong Collections { get; }

    /// <summary>The slots of texts, objects, lists and maps.</summary>
    internal ulong References { get; }

    /// <summary>The slots of maps whose objects are seen one by one.</summary>
    internal ulong ViewedMaps { get; }

    /// <summary>The slots that are seen by members to whose view the object was added.</summary>
    internal ulong ViewedFields { get; }

    /// <summary>The class and all classes of objects below it, itself first.</summary>
    internal List<SyncType> WithNested()
    {
        List<SyncType> types = [this];
        for (int t = 0; t < types.Count; t++)
        {
            foreach (SyncField field in types[t].Fields)
            {
                SyncSpec spec = field.Spec.Item ?? field.Spec;
                if (spec.Kind == SyncKind.Object && !types.Contains(spec.Type))
                {
                    types.Add(spec.Type);
                }
            }
        }

        return types;
    }

    private ulong SlotsOf(Func<SyncField, bool> condition) =>
        Fields.Select((field, slot) => condition(field) ? 1UL << slot : 0).Aggregate(0UL, static (slots, slot) => slots | slot);
}
