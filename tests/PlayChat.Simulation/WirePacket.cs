using System.Diagnostics.CodeAnalysis;
using PlayChat.Core.Framing;
using PlayChat.Core.Packets;

namespace PlayChat.Simulation;

/// <summary>The packet of an id that carries a <see cref="Wire"/>.</summary>
internal sealed class WirePacket(ushort id, string name) : PacketType<Wire>(id, name)
{
    internal static WirePacket Login { get; } = new(1, nameof(Login));

    internal static WirePacket Resume { get; } = new(2, nameof(Resume));

    internal static WirePacket Confirm { get; } = new(3, nameof(Confirm));

    internal static WirePacket Join { get; } = new(4, nameof(Join));

    internal static WirePacket Leave { get; } = new(5, nameof(Leave));

    internal static WirePacket Say { get; } = new(6, nameof(Say));

    internal static WirePacket Logout { get; } = new(7, nameof(Logout));

    internal static WirePacket Check { get; } = new(8, nameof(Check));

    internal static WirePacket Throw { get; } = new(9, nameof(Throw));

    /// <summary>The same as <see cref="Say"/>, posted to the room as a frame.</summary>
    internal static WirePacket SayFrame { get; } = new(10, nameof(SayFrame));

    /// <summary>Asks for a match.</summary>
    internal static WirePacket Find { get; } = new(11, nameof(Find));

    internal static WirePacket Cancel { get; } = new(12, nameof(Cancel));

    internal static WirePacket Answer { get; } = new(13, nameof(Answer));

    /// <summary>Shows the token of a seat.</summary>
    internal static WirePacket Rejoin { get; } = new(14, nameof(Rejoin));

    internal static WirePacket GiveUp { get; } = new(15, nameof(GiveUp));

    /// <summary>Asks whether the session is in the queue or in a match.</summary>
    internal static WirePacket WhereAmI { get; } = new(16, nameof(WhereAmI));

    internal static WirePacket LoggedIn { get; } = new(101, nameof(LoggedIn));

    internal static WirePacket Resumed { get; } = new(102, nameof(Resumed));

    internal static WirePacket Joined { get; } = new(104, nameof(Joined));

    internal static WirePacket Left { get; } = new(105, nameof(Left));

    internal static WirePacket LoggedOut { get; } = new(107, nameof(LoggedOut));

    internal static WirePacket Checked { get; } = new(108, nameof(Checked));

    internal static WirePacket NoRoom { get; } = new(109, nameof(NoRoom));

    internal static WirePacket Found { get; } = new(110, nameof(Found));

    internal static WirePacket Rejoined { get; } = new(111, nameof(Rejoined));

    internal static WirePacket Placed { get; } = new(112, nameof(Placed));

    internal static WirePacket Event { get; } = new(120, nameof(Event));

    internal static WirePacket Snapshot { get; } = new(121, nameof(Snapshot));

    internal static WirePacket Acknowledged { get; } = new(122, nameof(Acknowledged));

    /// <summary>A count that a slow client may miss.</summary>
    internal static WirePacket Presence { get; } = new(123, nameof(Presence));

    internal static WirePacket Status { get; } = new(124, nameof(Status));

    internal static WirePacket Seated { get; } = new(125, nameof(Seated));

    internal static PacketSet Set()
    {
        var set = new PacketSet();
        foreach (WirePacket packet in (WirePacket[])
            [
                Login, Resume, Confirm, Join, Leave, Say, Logout, Check, Throw, SayFrame, LoggedIn, Resumed, Joined, Left, LoggedOut,
                Checked, NoRoom, Event, Snapshot, Acknowledged, Presence, Find, Cancel, Answer, Rejoin, GiveUp, WhereAmI, Found, Rejoined,
                Placed, Status, Seated,
            ])
        {
            set.Add(packet);
        }

        return set;
    }

    public override bool TryDecode(in Frame frame, [NotNullWhen(true)] out Wire? message)
    {
        message = frame.BodyBytes < Wire.HeaderBytes ? null : Wire.Read(frame.ToArray());
        return message is not null;
    }

    public override int GetBodyBytes(Wire message) => Wire.HeaderBytes + message.Bytes.Length;

    public override void Encode(Wire message, Span<byte> destination) => message.Write(destination);
}
