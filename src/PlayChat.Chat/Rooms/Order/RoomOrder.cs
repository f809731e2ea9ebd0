using PlayChat.Chat.Rooms.Members;
using PlayChat.Core.Rooms;

namespace PlayChat.Chat.Rooms.Order;

/// <summary>
/// Decides when what happens in a room gets its sequence, when the members hear it, and when its sender is answered. The room owns one.
/// </summary>
/// <remarks>It also recognizes messages that are sent again. For the room's turn alone, where a member does not say otherwise.</remarks>
/// <param name="services">What all rooms have in common.</param>
/// <param name="rememberedPlayers">The number of players whose client_message_ids are kept.</param>
internal abstract class RoomOrder(ChatRoomServices services, int rememberedPlayers)
{
    /// <summary>The room. Any thread may read it.</summary>
    public ChatRoom Room { get; private set; } = null!; // set when the room is made

    /// <summary>The id of the room. Any thread may read it.</summary>
    public long RoomId => Room.Id;

    /// <summary>The epoch of the room's sequences; 0 where they are dense.</summary>
    public virtual uint Epoch => 0;

    /// <summary>Whether players moderate the room.</summary>
    public virtual bool CanModerate => true;

    /// <summary>Whether the room stays although it has no members: one that lasts does, unless it was made or woken for a player that did
    /// not enter.</summary>
    public virtual bool StaysEmpty => Services.RoomsLast && !Room.IsUntouched && Room.LatestSequence > 0;

    /// <summary>The members as clients see them.</summary>
    public virtual IEnumerable<Member> Roster => Room.Present;

    protected ChatRoomServices Services => services;

    protected RecentOfPlayers Recent { get; } = new(services.Settings.RecentMessageIds, rememberedPlayers);

    /// <summary>Belongs to a room from now on.</summary>
    /// <param name="room">The room.</param>
    /// <param name="said">Its last messages that are stored, oldest first: a player that sends one of them again is told so.</param>
    public void Begin(ChatRoom room, IReadOnlyList<ChatRecord> said)
    {
        Room = room;
        Recent.Restore(said);
    }

    /// <summary>Whether a player may enter now.</summary>
    public abstract bool Admits(PacketContext request);

    /// <summary>A player has become a member, and is answered next.</summary>
    public abstract void Join(ChatMember member);

    /// <summary>Whether a message of a player was ordered before.</summary>
    public bool Knows(long playerId, ulong clientMessageId) => Recent.TryFind(playerId, clientMessageId, out _);

    /// <summary>Orders a text of a member, and answers: now, or when it is heard.</summary>
    public void Say(PacketContext request, ChatMember member, CRoomChatReq said, string text)
    {
        if (Recent.TryFind(member.Shown.PlayerId, said.ClientMessageId, out long sequence))
        {
            AnswerRepeat(request, said, sequence);
        }
        else
        {
            SayFirst(request, member, said, text);
        }
    }

    /// <summary>Orders a text of the program itself, in the name of an account; there is no answer. While the room remembers the number of
    /// a text, it is not said again; 0 is no number.</summary>
    /// <returns><see langword="false"/> when the text was not taken.</returns>
    public bool TrySay(Member from, ulong messageId, string text) =>
        Recent.TryFind(from.PlayerId, messageId, out _) || TrySayFirst(from, messageId, text);

    /// <summary>Changes a message, or reacts to it.</summary>
    /// <param name="kind">What is done.</param>
    /// <param name="by">The member that does it.</param>
    /// <param name="sequence">The message.</param>
    /// <param name="text">Its text from now on, which is empty to delete it; or the emoji.</param>
    /// <param name="after">When the message was changed last, in ms since 1970: this change counts as later, whatever the clock
    /// says.</param>
    /// <returns>Completes when that is heard; with <see langword="false"/> when it may not be.</returns>
    public abstract Task<bool> ChangeAsync(RoomEventKind kind, Member by, long sequence, string text, long after = 0);

    /// <summary>Carries out what a moderator has asked for, and lets the members hear it.</summary>
    /// <returns>The first completes when it counts, with <see langword="false"/> when it may not; then the second when the store has
    /// it, with <see langword="false"/> when it may not last.</returns>
    public abstract (Task<bool> Done, Task<bool> Stored) Commit(RoomChange change);

    /// <summary>Lets the moderators hear of a report.</summary>
    public abstract void Report(Report report, Session reporter);

    /// <summary>A member is writing.</summary>
    public abstract void Type(ChatMember member);

    /// <summary>A member has read more of the room.</summary>
    public virtual void Read(RoomMembership known)
    {
    }

    public abstract void Leave(ChatMember member, LeaveReason reason);

    /// <summary>The room ends, because it has no members. Called once.</summary>
    /// <param name="remove">Removes it from the server's registry.</param>
    public abstract void Close(Action remove);

    /// <summary>Orders a text that was not ordered before.</summary>
    protected abstract void SayFirst(PacketContext request, ChatMember member, CRoomChatReq said, string text);

    /// <summary>Orders a text of the program itself that was not ordered before.</summary>
    protected abstract bool TrySayFirst(Member from, ulong messageId, string text);

    /// <summary>Answers a message that was ordered before.</summary>
    protected virtual void AnswerRepeat(PacketContext request, CRoomChatReq said, long sequence) =>
        Room.AnswerSaid(request, said, sequence, isDuplicate: true);

    /// <summary>Answers the requests that wait for a message.</summary>
    protected void AnswerAll(PendingMessage heard, long sequence, bool isDuplicate)
    {
        foreach (RoomRequest request in heard.Requests)
        {
            if (!request.IsAnswered)
            {
                Room.AnswerSaid(request.Context, heard.Packet!, sequence, isDuplicate);
            }

            isDuplicate = true; // the others repeat the first
        }
    }

    /// <summary>Fails requests that wait for a message.</summary>
    protected void FailAll(IEnumerable<RoomRequest> requests, ErrorCode code, string reason, TimeSpan retryAfter = default)
    {
        foreach (RoomRequest request in requests.Where(static request => !request.IsAnswered))
        {
            Room.Fail(request.Context, code, reason, retryAfter);
            request.IsAnswered = true;
        }
    }

    /// <summary>Runs a job in the room's turn. Safe to call from any thread, and never waits.</summary>
    /// <remarks>Jobs keep their order. A job that meets a full queue waits for a place in it, and is never dropped.</remarks>
    protected static void Post<TOrder, TState>(TOrder order, Action<TOrder, TState> job, TState state)
        where TOrder : RoomOrder =>
        _ = order.Room.PostAsync(
            static (ChatRoom _, Tuple<TOrder, Action<TOrder, TState>, TState> run) => run.Item2(run.Item1, run.Item3),
            Tuple.Create(order, job, state),
            CancellationToken.None).AsTask();
}
