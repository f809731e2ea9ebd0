using PlayChat.Protocol;

namespace PlayChat.Server.Rooms;

/// <summary>A message that is ordered and waits to be stored. The room has not delivered it yet.</summary>
/// <param name="Said">What it is.</param>
/// <param name="Request">Who said it; <see langword="null"/> for SYSTEM.</param>
/// <param name="Packet">How it was said; <see langword="null"/> for SYSTEM.</param>
/// <param name="Since">When that was, as a timestamp of the room's clock.</param>
internal sealed record UnstoredMessage(RoomEvent Said, RoomRequest? Request, CRoomChatReq? Packet, long Since)
{
    /// <summary>
    /// Repetitions that may wait for their answer. A correct client repeats a message once per connection, or after an answer.
    /// </summary>
    public const int MaxRepeats = 8;

    /// <summary>Requests that said it again meanwhile, with the same client_message_id; <see langword="null"/> without.</summary>
    public List<RoomRequest>? Repeats { get; private set; }

    /// <summary>Adds a request that repeats the message, so that it gets the same answer. A request without an id gets no answer.</summary>
    /// <returns><see langword="false"/> when too many wait already.</returns>
    public bool TryAddRepeat(RoomRequest request)
    {
        if (request.RequestId == 0)
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
