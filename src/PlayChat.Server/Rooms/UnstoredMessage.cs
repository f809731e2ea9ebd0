using System.Diagnostics;
using PlayChat.Protocol;

namespace PlayChat.Server.Rooms;

/// <summary>An event that has its sequence and that the room has not delivered yet, because the store lacks a message.</summary>
/// <param name="Said">The event.</param>
/// <param name="Request">The sender's request; <see langword="null"/> for a message of SYSTEM and for a join.</param>
/// <param name="Packet">The packet of that request; <see langword="null"/> without one.</param>
/// <param name="Since">When the event got its sequence, as a timestamp of the room's clock.</param>
internal sealed record UnstoredMessage(RoomEvent Said, RoomRequest? Request, CRoomChatReq? Packet, long Since)
{
    /// <summary>
    /// Repetitions that may wait for their answer. A correct client repeats a message once per connection, or after an answer.
    /// </summary>
    public const int MaxRepeats = 8;

    /// <summary>The span of the turn that ordered the event; <see langword="null"/> when it is not traced.</summary>
    public Activity? Turn { get; } = Activity.Current is { Recorded: true } turn ? turn : null;

    /// <summary>Whether the store refuses the message for good.</summary>
    public bool IsRefused { get; set; }

    /// <summary>Requests that said it again meanwhile, with the same client_message_id; <see langword="null"/> without.</summary>
    public List<RoomRequest>? Repeats { get; private set; }

    /// <summary>The sender's request and those that repeat it, in order.</summary>
    public IEnumerable<RoomRequest> Requests => (Request is null ? [] : new[] { Request }).Concat(Repeats ?? []);

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
