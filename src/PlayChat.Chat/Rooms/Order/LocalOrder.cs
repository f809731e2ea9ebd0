using PlayChat.Chat.Rooms.Members;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms.Order;

/// <summary>The order of a room that one server has alone: an event gets its sequence and is heard at once, and is stored later.</summary>
internal class LocalOrder(ChatRoomServices services) : RoomOrder(services, services.Limits.MaxMembers + FormerMembers)
{
    // A player that logs in again, or that a resume removed, joins again and repeats its unanswered messages.
    private const int FormerMembers = 256;

    private bool _isOpen;

    // A new room waits for its creator.
    private bool IsOpen => _isOpen || Room.Earlier is not null;

    public override bool Admits(PacketContext request) => IsOpen || request.PacketId == ChatPackets.CCreateRoomReq.Id;

    public override void Join(ChatMember member)
    {
        bool isNew = !IsOpen;
        if (isNew)
        {
            _isOpen = true;
            Services.Archive.Add(Room, Services.Time.GetUtcNow()); // the store has a room before its first member
        }

        Room.Register.Enter(member.Shown, Room.LatestSequence, stores: true);
        if (!isNew && member.Player.Devices.Length <= 1) // with a second device the others know the player
        {
            Hear(Room.Journal.Next(RoomEventKind.Join, member.Shown), except: member.Session);
        }
    }

    public override void Leave(ChatMember member, LeaveReason reason)
    {
        if (member.Player.Farewell is not null)
        {
            Room.Register.Remove(member.Shown.PlayerId, stores: true);
        }

        if (reason == LeaveReason.RoomRemoved || member.Player.Devices.Length > 0)
        {
            return;
        }

        if (member.Player.Farewell is null && Room.Register.IsLasting)
        {
            Hear(Room.Journal.Next(RoomEventKind.Away, member.Shown, $"{member.Shown.Name} is offline."));
            return;
        }

        Keep(Room.Journal.Next(RoomEventKind.Leave, member.Shown, member.Player.Farewell ?? $"{member.Shown.Name} has left the room."));
    }

    public override Task<bool> ChangeAsync(RoomEventKind kind, Member by, long sequence, string text, long after = 0)
    {
        RoomEvent next = Room.Journal.Next(kind, by, text);
        RoomEvent change = next with { Target = sequence, SentAtUnixMs = Math.Max(next.SentAtUnixMs, after + 1) };
        Hear(in change);
        if (kind == RoomEventKind.Edit)
        {
            Room.Store(in change); // a reaction is stored already
        }

        return Task.FromResult(true);
    }

    public override (Task<bool> Done, Task<bool> Stored) Commit(RoomChange change)
    {
        long leftOut = Services.Archive.LeftOut;
        if (change.Ends)
        {
            Room.End(change.Text);
            return (Task.FromResult(true), StoredAsync(leftOut));
        }

        bool isLeave = change.Parting is not null && Room.FindPlayer(change.PlayerId) is not null;
        Member who = Room.Apply(change, stores: true);
        Room.Enforce(change, who);
        if (!isLeave) // the leave says it
        {
            Keep(Room.Journal.Next(RoomEventKind.Notice, who, change.Text) with { Terms = Room.TermsAfter(change) });
        }

        if (change.Inviter is not null)
        {
            long read = Room.Register.Find(change.PlayerId)!.ReadSequence;
            Services.Tell(change.PlayerId, ChatPackets.SInvitedNtf, change.ToInvitation(RoomId, read));
        }

        return (Task.FromResult(true), StoredAsync(leftOut));
    }

    public override void Report(Report report, Session reporter) => Room.Moderation.TellModerators(report, reporter);

    public override void Type(ChatMember member) => Room.TellTyping(member.Shown.PlayerId);

    public override void Close(Action remove)
    {
        Services.Archive.Remove(Room, remove);
        ServerLog.RoomRemoved(Services.Logger, RoomId, Room.Name, Room.LatestSequence);
    }

    protected sealed override void SayFirst(PacketContext request, ChatMember member, CRoomChatReq said, string text) =>
        Say(member.Shown, said.ClientMessageId, text, request, said);

    protected sealed override bool TrySayFirst(Member from, ulong messageId, string text)
    {
        Say(from, messageId, text);
        return true;
    }

    /// <summary>Lets the members hear an event that has its sequence, and answers.</summary>
    /// <param name="happened">The event. A message is handed to the chat log afterwards.</param>
    /// <param name="request">The request to answer, if a player said it.</param>
    /// <param name="said">The packet of that request.</param>
    /// <param name="except">A session that is told in another way.</param>
    protected virtual void Hear(in RoomEvent happened, PacketContext request = default, CRoomChatReq? said = null, Session? except = null)
    {
        Room.Deliver(in happened, except);
        if (said is not null)
        {
            Room.AnswerSaid(request, said, happened.Sequence, isDuplicate: false);
        }
    }

    /// <summary>Completes when the store has the changes so far; at once where nothing lasts.</summary>
    private Task<bool> StoredAsync(long leftOut) =>
        Services.RoomsLast ? Services.Archive.WrittenAsync(leftOut) : Task.FromResult(true);

    private void Keep(in RoomEvent happened)
    {
        Hear(in happened);
        Room.Store(in happened);
    }

    private void Say(Member from, ulong messageId, string text, PacketContext request = default, CRoomChatReq? said = null)
    {
        RoomEvent message = Room.Journal.Next(RoomEventKind.Chat, from, text);
        Hear(in message, request, said);
        Room.Store(in message, messageId);
        Room.Register.NoteMentions(text, from.PlayerId, message.Sequence);
        Recent.Add(from.PlayerId, messageId, message.Sequence);
    }
}
