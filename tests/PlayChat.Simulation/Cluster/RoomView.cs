namespace PlayChat.Simulation.Cluster;

/// <summary>What a client knows of a room of the cluster that it is in.</summary>
internal sealed class RoomView(long id) : ClientRoom(id)
{
    /// <summary>What the object has done that has told the client last.</summary>
    internal Tenure? Tenure { get; set; }

    /// <summary>How often the client has resumed in this membership and the room has not answered. Unless it is once, an answer may be to
    /// another resume.</summary>
    internal int Returns { get; set; }
}
