using PlayChat.Core.Connections;

namespace PlayChat.Protocol;

/// <summary>One connection of a client, which may have several one after the other.</summary>
internal sealed class ChatLink(ChatClient client)
{
    private volatile Connection? _connection;

    public ChatClient Client { get; } = client;

    /// <summary>Null while it is being made.</summary>
    public Connection? Connection
    {
        get => _connection;
        set => _connection = value;
    }

    /// <summary>Requests to leave a room that were waiting when the resume was asked for, and are done by not naming that room.</summary>
    public List<(ushort RequestId, long RoomId)> Leaving { get; set; } = [];

    /// <summary>The session has gone on here. Guarded by the client's gate.</summary>
    public bool IsResumed { get; set; }

    /// <summary>What the server said before it closed. The receive loop's.</summary>
    public SCloseNtf? Farewell { get; set; }
}
