using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Generators.Tests.Game;

internal sealed class Arena(RoomContext context) : Room<Player>(context)
{
    [Packet(PacketId.Move)]
    internal void OnMove(Player member, string message) =>
        member.Session.Connection.SendPacket($"moved {message} of {member.Session.User?.Name}", type: TextPacket.Answer);

    [Packet(PacketId.Look)]
    internal Sight OnLook(PacketContext context, Player member, string message)
    {
        BroadcastPacket($"{member.Session.User?.Name} looks {message}", type: TextPacket.Answer);
        return new Sight($"request {context.RequestId}");
    }

    protected override JoinDecision<Player> OnJoining(Session session) => new Player(session);
}
