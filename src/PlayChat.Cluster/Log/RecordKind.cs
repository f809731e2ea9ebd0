namespace PlayChat.Cluster.Log;

/// <summary>The kinds of records. Kinds below <see cref="FirstReserved"/> are the application's own.</summary>
public static class RecordKind
{
    /// <summary>The first kind that the backplane keeps for itself: 200. Handlers never see these kinds as records.</summary>
    public const byte FirstReserved = 200;

    /// <summary>A node proves that it can write to the log and read it. <see cref="RoomRecord.Token"/> is the number that it waits
    /// for.</summary>
    public const byte Hello = 200;

    /// <summary>A node is dead: batches of this life of it that follow in the log are dropped by every reader.</summary>
    public const byte NodeDown = 201;

    /// <summary>A frame for the sessions of all nodes, which a server that has joined the log sends to its own.</summary>
    public const byte Broadcast = 202;

    /// <summary>A node asks whether the log answers. It changes nothing (<see cref="IShardHandler.OnProbe"/>).</summary>
    public const byte Probe = 203;
}
