using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms;

/// <summary>A room that passes each frame of a member unchanged to all members. It stays when it is empty.</summary>
internal sealed class BroadcastRoom(RoomContext context) : Room<RoomMember>(context)
{
    /// <summary>
    /// Passes a frame on to every member (what a room does with a frame of itself), and waits while the room's queue is full.
    /// </summary>
    /// <param name="from">Its sender.</param>
    /// <param name="frame">Copied at once.</param>
    public ValueTask RelayAsync(Session from, Frame frame)
    {
        ValueTask<bool> posting = PostFrameAsync(from, in frame);
        // Whether it was posted is of no interest: these rooms are never removed.
        return posting.IsCompletedSuccessfully ? default : WaitAsync(posting);
    }

    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

    private static async ValueTask WaitAsync(ValueTask<bool> posting) => await posting;
}
