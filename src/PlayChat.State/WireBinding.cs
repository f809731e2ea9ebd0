namespace PlayChat.State;

/// <summary>A class of the server together with the class here that receives its objects.</summary>
internal sealed class WireBinding
{
    internal WireBinding(WireType wire, SyncType? local)
    {
        Wire = wire;
        Local = local;
        Slots = Array.ConvertAll(
            wire.Fields, field => Array.FindIndex(local?.Fields ?? [], mine => mine.Number == field.Number && field.Spec.Fits(mine.Spec)));
    }

    internal WireType Wire { get; }

    internal SyncType? Local { get; }

    /// <summary>For each field of the server the slot here; -1 for a field that is dropped.</summary>
    internal int[] Slots { get; }

    internal bool HasQuantized => Array.Exists(Wire.Fields, static field => field.Spec.IsQuantized);

    /// <summary>The class here of the objects in a field.</summary>
    internal SyncType? LocalTypeOf(int field) =>
        Slots[field] < 0 ? null : (Local!.Fields[Slots[field]].Spec is var spec ? (spec.Item ?? spec).Type : null);
}
