namespace PlayChat.Simulation.Cluster;

/// <summary>What a client knows of a room of the cluster that it is in.</summary>
internal sealed class RoomView(long id) : ClientRoom(id)
{
    /// <summary>What the object has done that has told the client last.</summary>
    internal Tenure? Tenure { get; set; }

    /// <summary>Whether the client has asked a former connection to leave: then it has not followed what the room said.</summary>
    internal bool MayHaveLeft { get; set; }

    /// <summary>How often the client has resumed in this membership and the room has not answered. Unless it is once, an answer may be to
    /// another resume.</summary>
    internal int Returns { get; set; }
}
