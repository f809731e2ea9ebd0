using System.Runtime.CompilerServices;
using PlayChat.Cluster.OwnedRooms;

namespace PlayChat.Cluster.Broadcast;

/// <summary>Sends to the sessions of all nodes of a cluster. Thread-safe.</summary>
public static class SessionBroadcastExtensions
{
    private static readonly ConditionalWeakTable<SessionRegistry, SessionBroadcast> s_joined = [];

    /// <summary>
    /// Takes part in the broadcasts of a cluster: <see cref="BroadcastAsync"/> then reaches the sessions of all servers that have joined
    /// the same log. A server with <see cref="RoomClusterExtensions.UseRoomCluster"/> does so by itself.
    /// </summary>
    /// <param name="sessions">The sessions of a server.</param>
    /// <param name="log">The cluster's log in this life of the node. It stays the caller's: dispose it after the result.</param>
    /// <param name="cancellationToken">Ends the wait; the server has not joined then.</param>
    /// <returns>
    /// Completes when the server has joined. Disposing the result leaves the cluster: no broadcast arrives or leaves any more, until the
    /// server joins again, with the log of the node's next life.
    /// </returns>
    /// <exception cref="InvalidOperationException">The registry belongs to no server.</exception>
    public static async Task<IAsyncDisposable> JoinClusterAsync(
        this SessionRegistry sessions, IRoomBackplane log, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sessions);
        ArgumentNullException.ThrowIfNull(log);
        var joined = new SessionBroadcast(
            log, sessions.Audience ?? throw new InvalidOperationException("The registry belongs to no server."));
        await joined.StartAsync(cancellationToken).ConfigureAwait(false);
        s_joined.AddOrUpdate(sessions, joined);
        return joined;
    }

    /// <summary>Sends one frame to all logged-in sessions of all nodes, encoded once.</summary>
    /// <param name="sessions">The sessions of this node.</param>
    /// <param name="body">The frame's content; copied.</param>
    /// <param name="header">What the format writes beside it; <see cref="FrameHeader.RequestId"/> is left out.</param>
    /// <param name="cancellationToken">Ends the wait; the frame may be sent nevertheless. Without it a log that is away keeps the caller
    /// waiting.</param>
    /// <returns>
    /// <see cref="PublishResult.Accepted"/> when this node has read the frame in the log and sent it. Then every node of the cluster sends
    /// it. Any other result says that it was not sent and will not be.
    /// </returns>
    /// <remarks>
    /// After <see cref="JoinClusterAsync"/> the frame goes through the log, so all sessions get such frames once and in one order. A
    /// session that is away, or that moves to another node meanwhile, may miss it. Each node reads no further in the log while it sends.
    /// A server that has joined no cluster sends it to its own sessions. The task is cancelled when the server leaves the cluster, and when
    /// records of the log are missing, among which the frame may be.
    /// </remarks>
    /// <exception cref="ArgumentException">The body is larger than the format can carry, or contains its delimiter.</exception>
    public static Task<PublishResult> BroadcastAsync(
        this SessionRegistry sessions,
        ReadOnlyMemory<byte> body,
        FrameHeader header = default,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sessions);
        if (s_joined.TryGetValue(sessions, out SessionBroadcast? joined))
        {
            return joined.SendAsync(body, header, cancellationToken);
        }

        sessions.Broadcast(body.Span, header with { RequestId = 0 }, filter: static session => session.User is not null);
        return Task.FromResult(PublishResult.Accepted);
    }

    /// <summary>Sends one message to all logged-in sessions of all nodes as the packet that carries it.</summary>
    /// <param name="sessions">The sessions of this node.</param>
    /// <param name="message">What is sent; not kept. Filters of outgoing packets see it once, on this node.</param>
    /// <param name="cancellationToken">Ends the wait; the message may be sent nevertheless.</param>
    /// <returns>As for <see cref="BroadcastAsync"/>; also <see cref="PublishResult.Accepted"/> when a packet filter stopped it.</returns>
    /// <inheritdoc cref="BroadcastAsync" path="/remarks"/>
    /// <exception cref="InvalidOperationException">
    /// No packet of the server's set, or more than one, carries <typeparamref name="TMessage"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The message is larger than the format can carry.</exception>
    public static Task<PublishResult> BroadcastPacketAsync<TMessage>(
        this SessionRegistry sessions, TMessage message, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sessions);
        (byte[]? body, FrameHeader header) = sessions.Audience?.Encode(message) ?? default;
        return body is null ? Task.FromResult(PublishResult.Accepted) : sessions.BroadcastAsync(body, header, cancellationToken);
    }
}
