using PlayChat.Protocol;
using PlayChat.Server.Rooms;

namespace PlayChat.Server.Cluster;

/// <summary>An entry that this node has published for a room and has not read back yet. Only the room's turn uses it.</summary>
/// <param name="UserId">The player.</param>
/// <param name="Since">When it was published, as a timestamp of the room's clock.</param>
/// <param name="Request">The request that waits for it.</param>
/// <param name="Packet">The packet of that request; <see langword="null"/> for a join.</param>
/// <param name="Read">Completes with a join; <see langword="null"/> for a message.</param>
internal sealed record PendingEntry(
    long UserId, long Since, RoomRequest? Request, CRoomChatReq? Packet, TaskCompletionSource<bool>? Read)
{
    /// <summary>Requests that repeated the message meanwhile.</summary>
    public List<RoomRequest>? Repeats { get; private set; }

    /// <summary>Adds a request that repeats the message, so that it gets the same answer.</summary>
    /// <returns><see langword="false"/> when too many wait already.</returns>
    public bool TryAddRepeat(RoomRequest request)
    {
        Repeats ??= [];
        Repeats.RemoveAll(static repeat => repeat.IsAnswered);
        if (Repeats.Count == UnstoredMessage.MaxRepeats)
        {
            return false;
        }

        Repeats.Add(request);
        return true;
    }

    /// <summary>Whether a request or a join waits for it.</summary>
    public bool IsAwaited => Read is { Task.IsCompleted: false }
        || Request is { IsAnswered: false }
        || (Repeats?.Exists(static repeat => !repeat.IsAnswered) ?? false);

    /// <summary>Every request for it.</summary>
    public IEnumerable<RoomRequest> Requests => (Request is null ? [] : new[] { Request }).Concat(Repeats ?? []);
}
