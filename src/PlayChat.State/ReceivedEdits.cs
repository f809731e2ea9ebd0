namespace PlayChat.State;

/// <summary>What the application of a message has done.</summary>
internal sealed class ReceivedEdits
{
    /// <summary>The objects that have left their place.</summary>
    internal List<SyncObject> Dropped { get; } = [];

    /// <summary>Calls the handlers.</summary>
    internal List<Action> Events { get; } = [];
}
