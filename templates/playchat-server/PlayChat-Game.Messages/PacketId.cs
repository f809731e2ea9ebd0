namespace PlayChat_Game.Messages;

/// <summary>Which message a packet carries. The numbers are the wire's: add new ones, and leave the others as they are.</summary>
public enum PacketId : ushort
{
    Join = 1,
    Joined = 2,
    Say = 3,
    Said = 4,
    PlayerCame = 5,
    PlayerLeft = 6,
}
