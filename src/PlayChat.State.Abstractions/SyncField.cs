#pragma warning disable CS1591 // called by generated code alone

namespace PlayChat.State;

/// <summary>Describes a field of a class with <see cref="SyncStateAttribute"/>.</summary>
/// <param name="Number">The number that clients know.</param>
/// <param name="Name">The property's name; in a received schema, the name on the wire.</param>
/// <param name="Spec">How the value is written.</param>
/// <param name="IsViewed">See <see cref="SyncAttribute.Viewed"/>.</param>
/// <param name="IsNullable">Whether a text or an object can be null here.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record SyncField(int Number, string Name, SyncSpec Spec, bool IsViewed = false, bool IsNullable = false)
{
    internal string WireName => char.ToLowerInvariant(Name[0]) + Name[1..];
}
