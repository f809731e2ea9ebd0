namespace PlayChat.Chat.Rooms.Order;

/// <summary>An event that is not heard yet, with the requests that wait for it. Only the room's turn uses it.</summary>
/// <param name="request">The request of the player that says it; <see langword="null"/> for a message of SYSTEM and for a join.</param>
/// <param name="packet">The packet of that request; <see langword="null"/> without one.</param>
/// <param name="since">When it began to wait, as a timestamp of the room's clock.</param>
internal class PendingMessage(RoomRequest? request, CRoomChatReq? packet, long since)
{
    /// <summary>
    /// Repetitions that may wait for their answer. A correct client repeats a message once per connection, or after an answer.
    /// </summary>
    public const int MaxRepeats = 8;

    public CRoomChatReq? Packet => packet;

    public long Since => since;

    /// <summary>Requests that said it again meanwhile, with the same client_message_id; <see langword="null"/> without.</summary>
    public List<RoomRequest>? Repeats { get; private set; }

    /// <summary>Whether a request waits for its answer.</summary>
    public bool IsAwaited => request is { IsAnswered: false } || (Repeats?.Exists(static repeat => !repeat.IsAnswered) ?? false);

    /// <summary>The sender's request and those that repeat it, in order.</summary>
    public IEnumerable<RoomRequest> Requests
    {
        get
        {
            if (request is not null)
            {
                yield return request;
            }

            foreach (RoomRequest repeat in Repeats ?? [])
            {
                yield return repeat;
            }
        }
    }

    /// <summary>Adds a request that repeats the message, so that it gets the same answer. A request without an id gets no answer.</summary>
    /// <returns><see langword="false"/> when too many wait already.</returns>
    public bool TryAddRepeat(RoomRequest request)
    {
        if (request.Context.RequestId == 0)
        {
            return true;
        }

        Repeats ??= [];
        Repeats.RemoveAll(static repeat => repeat.IsAnswered);
        if (Repeats.Count == MaxRepeats)
        {
            return false;
        }

        Repeats.Add(request);
        return true;
    }
}
