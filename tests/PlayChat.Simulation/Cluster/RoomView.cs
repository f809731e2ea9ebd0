namespace PlayChat.Simulation.Cluster;

/// <summary>What a client knows of a room of the cluster that it is in.</summary>
internal sealed class RoomView(long id)
{
    internal long Id => id;

    /// <summary>The client's own number in the room.</summary>
    internal int Number { get; set; }

    /// <summary>What the object has done that has told the client last.</summary>
    internal Tenure? Tenure { get; set; }

    /// <summary>The newest event that the client knows.</summary>
    internal int Last { get; set; }

    internal HashSet<int> Members { get; } = [];

    /// <summary>Whether the client has resumed and the room has not said yet what it has missed.</summary>
    internal bool IsReturning { get; set; }

    /// <summary>How often the client has resumed in this membership and the room has not answered. Unless it is once, an answer may be to
    /// another resume.</summary>
    internal int Returns { get; set; }

    /// <summary>Whether the client has heard of something whose beginning it has missed, and the room has not told it the state.</summary>
    internal bool HasGap { get; set; }

    /// <summary>Whether the client has asked to leave.</summary>
    internal bool IsLeaving { get; set; }
}
