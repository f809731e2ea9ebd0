using System.ComponentModel;

#pragma warning disable CS1591 // called by generated code alone

namespace PlayChat.State;

/// <summary>Describes how the items or keys of a collection are written, and turns them into values and back.</summary>
/// <param name="Spec">How they are written.</param>
/// <param name="Write">Makes a value of an item.</param>
/// <param name="Read">Makes an item of a value.</param>
/// <param name="Create">Makes an empty item, if it is an object.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record SyncItem<T>(SyncSpec Spec, Func<T, SyncValue> Write, Func<SyncValue, T> Read, Func<SyncObject>? Create = null);
