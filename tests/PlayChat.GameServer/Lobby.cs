using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.GameServer;

/// <summary>Players talk. One that returns is told whether it has missed anything.</summary>
internal sealed class Lobby(RoomContext context) : Room<Player, Join>(context)
{
    public const string Title = "lobby";

    [Packet]
    public void OnSay(Player player, Say say) => BroadcastPacket(new Said(player.Name, say.Text));

    protected override JoinDecision<Player> OnJoining(Session session, Join join) =>
        join.Name is { Length: > 0 and <= 20 } ? new Player(session, join.Name) : Refuse("A name has 1 to 20 characters.");

    protected override void OnAway(Player player) => BroadcastPacket(new Gone(player.Name), except: player.Session);

    protected override void OnReturn(Player player) => SendPacket(player.Session, new Back(player.IsRecovered));
}
