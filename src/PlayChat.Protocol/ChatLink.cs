using PlayChat.Core.Connections;

namespace PlayChat.Protocol;

/// <summary>One connection of a client, which may have several one after the other.</summary>
internal sealed class ChatLink(SessionKeeper keeper)
{
    private volatile Connection? _connection;

    public SessionKeeper Keeper { get; } = keeper;

    /// <summary>Null while it is being made.</summary>
    public Connection? Connection
    {
        get => _connection;
        set => _connection = value;
    }

    /// <summary>
    /// Requests to leave a room that were pending when the resume was asked for. The resume carries them out by not naming these rooms.
    /// </summary>
    public List<(ushort RequestId, long RoomId)> Leaving { get; set; } = [];

    /// <summary>Whether the session was resumed here. Guarded by the keeper's gate.</summary>
    public bool IsResumed { get; set; }

    /// <summary>What the server said before it closed. Used by the receive loop alone.</summary>
    public SCloseNtf? Farewell { get; set; }
}
