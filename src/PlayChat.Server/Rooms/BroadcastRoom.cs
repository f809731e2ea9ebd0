using System.Buffers;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Server.Rooms;

/// <summary>A room whose members hear each frame of any of them, as it came. It stays when it is empty.</summary>
internal sealed class BroadcastRoom(RoomContext context) : Room(context)
{
    /// <summary>Makes a session a member. Never waits; what the session sends comes after it.</summary>
    // When the queue is full the entry waits in it, and later frames wait behind it: the queue serves its writers in order.
    public void Admit(Session session) =>
        _ = this.PostAsync(static (BroadcastRoom room, Session entering, object? _) => room.Enter(entering), session, null, CancellationToken.None).AsTask();

    /// <summary>Passes a frame on to every member, and waits while the room's queue is full.</summary>
    /// <param name="header">Passed on as it is.</param>
    /// <param name="body">Copied at once.</param>
    /// <param name="cancellationToken">The sender has gone.</param>
    public ValueTask RelayAsync(FrameHeader header, in ReadOnlySequence<byte> body, CancellationToken cancellationToken)
    {
        RelayedFrame frame = RelayedFrame.Rent(header, in body);
        ValueTask<bool> posting = this.PostAsync(
            static (BroadcastRoom room, RelayedFrame relayed, object? _) => room.Relay(relayed), frame, null, cancellationToken);
        return posting.IsCompletedSuccessfully && posting.Result ? default : RelayedAsync(posting, frame);
    }

    private static async ValueTask RelayedAsync(ValueTask<bool> posting, RelayedFrame frame)
    {
        bool posted = false;
        try
        {
            posted = await posting;
        }
        finally
        {
            if (!posted)
            {
                frame.Return();
            }
        }
    }

    private void Relay(RelayedFrame frame)
    {
        Broadcast(frame.Body, frame.Header);
        frame.Return();
    }
}
