namespace PlayChat.Simulation;

/// <summary>What a client knows of a room that it is in.</summary>
internal sealed class ClientRoom(long id)
{
    internal long Id => id;

    /// <summary>The client's own number in the room.</summary>
    internal int Number { get; set; }

    /// <summary>The newest event that the client knows.</summary>
    internal int Last { get; set; }

    /// <summary>The newest count of each key.</summary>
    internal int[] Presence { get; } = new int[2];

    internal HashSet<int> Members { get; } = [];

    /// <summary>Whether the client has resumed and the room has not said yet what it has missed.</summary>
    internal bool IsReturning { get; set; }

    /// <summary>Whether an event is missing, as it may be until the room says so.</summary>
    internal bool HasGap { get; set; }

    /// <summary>Whether the client has asked to leave.</summary>
    internal bool IsLeaving { get; set; }

    /// <summary>What the client has said and the room has not acknowledged, in order.</summary>
    internal SortedSet<int> Unacknowledged { get; } = [];
}
