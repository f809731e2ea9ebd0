namespace PlayChat.Generators;

/// <summary>A class with [SyncState].</summary>
internal sealed record SyncStateModel(
    string Namespace, string Name, bool HasBase, EquatableArray<SyncFieldModel> Fields, EquatableArray<Problem> Problems);
