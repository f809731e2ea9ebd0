using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Places;

/// <summary>
/// Where players enter, and where their rooms are: on this server alone, or on the nodes of a cluster. The handlers do not know which.
/// Thread-safe.
/// </summary>
/// <remarks>A call that takes the context of a request has answered it when it completes, where it does not say otherwise.</remarks>
internal interface IPlaces
{
    /// <summary>Whether players can enter now.</summary>
    bool IsOpen { get; }

    /// <summary>Finds another server for a request that comes while this one stops.</summary>
    /// <param name="isFollowed">Whether the client goes there by itself.</param>
    /// <returns>HOST:PORT, or <see langword="null"/> when the request is for this server.</returns>
    string? FindWayOut(bool isFollowed);

    /// <summary>Makes the session of a login the only one of its player on all servers.</summary>
    /// <param name="context">The login, which is answered only on failure. The connection closes then.</param>
    /// <param name="followsRedirects">Whether the client goes to another server by itself.</param>
    /// <returns><see langword="false"/> when that failed.</returns>
    ValueTask<bool> TryBindAsync(PacketContext context, bool followsRedirects);

    /// <summary>Brings a session that resumes, and its memberships, from another server to this one.</summary>
    /// <param name="context">The request.</param>
    /// <param name="message">The packet of the request.</param>
    /// <param name="answer">The answer so far; <see cref="SResumeRes.Restored"/> says whether the session was elsewhere.</param>
    /// <param name="cancellationToken">Cancelled when the peer's connection ends.</param>
    /// <returns><see langword="false"/> when there is nothing to bring: the request is not answered.</returns>
    ValueTask<bool> TryMoveAsync(PacketContext context, CResumeReq message, SResumeRes answer, CancellationToken cancellationToken);

    /// <summary>Makes a room and lets its creator in.</summary>
    ValueTask CreateAsync(PacketContext context, string name, RoomKind kind, CancellationToken cancellationToken);

    /// <summary>Lets a player into a room.</summary>
    ValueTask JoinAsync(PacketContext context, long roomId, string password, CancellationToken cancellationToken);

    /// <summary>Lists rooms that have members.</summary>
    ValueTask ListAsync(PacketContext context, CListRoomsReq query, int limit, CancellationToken cancellationToken);
}
