namespace PlayChat.Connector;

/// <summary>What the server needs to continue a session on another connection.</summary>
/// <param name="Token">From the newest answer that had one.</param>
/// <param name="FramesReceived">How many packets came on the connection that the token came on, heartbeats left out.</param>
public sealed record Resume(ReadOnlyMemory<byte> Token, long FramesReceived);

/// <summary>What became of the session on a connection.</summary>
/// <param name="Token">What to resume with when the connection breaks. Empty: the next connection begins a new session.</param>
/// <param name="Recovered">Whether the session continues and nothing is missing, as the server says. Default false.</param>
public sealed record Entered(ReadOnlyMemory<byte> Token = default, bool Recovered = false);

/// <summary>What a <see cref="GameClient"/> has.</summary>
public enum ClientState
{
    /// <summary><see cref="GameClient.ConnectAsync"/> has not succeeded yet.</summary>
    New,

    /// <summary>There is a connection. It may break at any moment.</summary>
    Connected,

    /// <summary>The connection has broken, and the client makes another one.</summary>
    Reconnecting,

    /// <summary>The session has ended.</summary>
    Closed,
}
