namespace PlayChat_Game.Server;

/// <summary>The room that everybody is in. All of it runs in the room's turn, one thing at a time, so there is no lock.</summary>
internal sealed class Lobby(RoomContext context) : Room<Player, Join>(context)
{
    public const string RoomName = "lobby";

    private const int MaxNameLength = 20;

    [Packet, RateLimit(10)]
    public void OnSay(Player player, Say say) => BroadcastPacket(new Said(player.Name, say.Text));

    protected override JoinDecision<Player> OnJoining(Session session, Join join)
    {
        if (join.Name is not { Length: > 0 and <= MaxNameLength } name)
        {
            return Refuse($"A name has 1 to {MaxNameLength} characters.");
        }

        string[] others = [.. Members.Select(player => player.Name)];
        if (others.FirstOrDefault(other => string.Equals(other, name, StringComparison.OrdinalIgnoreCase)) is { } taken)
        {
            return Refuse($"{taken} is here already.");
        }

        return new Player(session, name, others);
    }

    protected override void OnJoined(Player player) => BroadcastPacket(new PlayerCame(player.Name), except: player.Session);

    protected override void OnLeave(Player player, LeaveReason reason) => BroadcastPacket(new PlayerLeft(player.Name));
}
