using PlayChat.Core.Connections;

namespace PlayChat.Protocol;

/// <summary>A request that waits for its answer.</summary>
internal abstract class PendingRequest
{
    /// <summary>Whether it has gone out on the connection that is there now. <see cref="PendingRequests"/>'s.</summary>
    public bool IsSent { get; set; }

    /// <summary>Whether it has gone out on any connection. <see cref="PendingRequests"/>'s.</summary>
    public bool WasSent { get; set; }

    /// <summary>
    /// Whether it is sent again on the next connection. The others are of one connection. <see cref="PendingRequests"/>'s.
    /// </summary>
    public bool IsHeldInBreaks { get; set; }

    /// <summary>How often servers have named another server for it. <see cref="PendingRequests"/>'s.</summary>
    public int Redirects { get; set; }

    /// <summary>The rising number of the request, for the order in which they are sent again. <see cref="PendingRequests"/>'s.</summary>
    public long Order { get; set; }

    /// <summary>
    /// Whether it may be sent again after it has gone out: the server knows it again, or it does no harm twice. Default true.
    /// </summary>
    public bool IsRepeatable { get; init; } = true;

    /// <summary>The room that it asks to leave; 0 for any other request.</summary>
    public virtual long LeavesRoomId => 0;

    /// <summary>Sends it, for the first time or again.</summary>
    /// <returns>False when it will not go out.</returns>
    public abstract bool Send(Connection connection, ushort id);

    /// <returns>
    /// False when <paramref name="answer"/> is not the kind of message that answers this request; nothing has changed then.
    /// </returns>
    public abstract bool TryComplete(object answer);

    public abstract void Fail(Exception exception);
}
