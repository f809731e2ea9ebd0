#pragma warning disable CS1591 // called by generated code alone

namespace PlayChat.State;

/// <summary>Describes how the items or keys of a collection are written, writes them, and makes them of received values.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record SyncItem<T>(SyncSpec Spec, Action<StateWriter, T> Write, Func<SyncValue, T> Read);
