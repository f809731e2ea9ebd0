using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.NativeProgram;

/// <summary>A room that the server creates with a service, and that tells every guest how one moves.</summary>
internal sealed class Lobby(RoomContext context, EchoCount count) : Room<Lobby.Guest>(context)
{
    [Packet(Packets.Move)]
    public void OnMove(Guest guest, Move move)
    {
        count.Add();
        guest.X += move.X;
        BroadcastPacket(new Moved(guest.X));
    }

    protected override JoinDecision<Guest> OnJoining(Session session) => new Guest(session);

    internal sealed class Guest(Session session) : RoomMember(session)
    {
        public int X { get; set; }
    }
}
