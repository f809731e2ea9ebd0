using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Benchmark.Servers;

/// <summary>A room whose members hear each frame of any of them, as it came.</summary>
internal sealed class MappedRoom(RoomContext context) : Room<RoomMember>(context)
{
    /// <summary>Passes a frame on to every member, and waits while the room's queue is full.</summary>
    /// <param name="from">Its sender.</param>
    /// <param name="frame">Copied at once.</param>
    public ValueTask RelayAsync(Session from, Frame frame)
    {
        ValueTask<bool> posting = PostFrameAsync(from, in frame);
        return posting.IsCompletedSuccessfully ? default : WaitAsync(posting);
    }

    /// <inheritdoc/>
    protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

    private static async ValueTask WaitAsync(ValueTask<bool> posting) => await posting;
}
