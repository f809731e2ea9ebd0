using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Server.Rooms;

/// <summary>A room that passes each frame of a member unchanged to all members. It stays when it is empty.</summary>
internal sealed class BroadcastRoom(RoomContext context) : Room(context)
{
    /// <summary>Makes a session a member. Never waits; what the session sends comes after it.</summary>
    // When the queue is full the entry waits in it, and later frames wait behind it: the queue serves its writers in order.
    public void Admit(Session session) =>
        _ = this.PostAsync(
            static (BroadcastRoom room, Session entering) => room.Enter(entering),
            session,
            CancellationToken.None).AsTask();

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

    private static async ValueTask WaitAsync(ValueTask<bool> posting) => await posting;
}
