using PlayChat.Core.Connections;
using PlayChat.Core.Dispatch;
using PlayChat.Protocol;

namespace PlayChat.Client.Tests;

/// <summary>A room of <see cref="SmallChatServer"/>, which holds its lock.</summary>
internal sealed class SmallRoom(long id, string name)
{
    public long Id { get; } = id;

    public string Name { get; } = name;

    /// <summary>What the request said that made the room.</summary>
    public CCreateRoomReq Kind { get; set; } = new();

    public Dictionary<Connection, Member> Members { get; } = [];

    public long Sequence { get; private set; }

    public List<SRoomChatNtf> Said { get; } = [];

    public void Tell(SRoomChatNtf message)
    {
        (message.RoomId, message.PreviousSequence, message.Sequence) = (Id, Sequence, ++Sequence);
        Said.Add(message);
        foreach (Connection member in Members.Keys)
        {
            member.SendPacket(message, type: ChatPackets.SRoomChatNtf);
        }
    }

    public void Announce(Member joined)
    {
        var message = new SJoinRoomNtf { RoomId = Id, Member = joined, PreviousSequence = Sequence, Sequence = ++Sequence };
        foreach (Connection member in Members.Keys)
        {
            member.SendPacket(message, type: ChatPackets.SJoinRoomNtf);
        }
    }

    public void Remove(Connection connection)
    {
        if (Members.Remove(connection, out Member? left))
        {
            Tell(new SRoomChatNtf
            {
                PlayerName = ChatLimits.SystemName,
                System = true,
                Text = $"{left.Name} has left the room.",
                Left = left
            });
        }
    }
}
