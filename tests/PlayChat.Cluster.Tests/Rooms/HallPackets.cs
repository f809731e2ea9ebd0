using PlayChat.Core.Packets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>The messages between a hall and its clients.</summary>
internal static class HallPackets
{
    public static PacketSet All => new PacketSet()
        .Add(new TextPacket<Enter>(1, static text => new Enter(text), static message => message.Name))
        .Add(new TextPacket<Entered>(2, static text => new Entered(text), static message => message.Result))
        .Add(new TextPacket<Say>(3, static text => new Say(text), static message => message.Text))
        .Add(new TextPacket<Said>(4, static text => new Said(text), static message => message.Text))
        .Add(new TextPacket<Ask>(5, static text => new Ask(text), static message => message.Question))
        .Add(new TextPacket<Told>(6, static text => new Told(text), static message => message.Answer));

    internal sealed record Enter(string Name);

    /// <summary>The answer to a join: <c>ok</c>, or the result and the reason.</summary>
    internal sealed record Entered(string Result);

    internal sealed record Say(string Text);

    /// <summary>What the members hear.</summary>
    internal sealed record Said(string Text);

    /// <summary>A request to the room.</summary>
    internal sealed record Ask(string Question);

    internal sealed record Told(string Answer);
}
