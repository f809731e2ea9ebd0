using PlayChat.Protocol;

namespace PlayChat.Server.Tests.Model;

/// <summary>A room that lasts, as PROTOCOL.md describes it: who may do what in it, and what its members hear and read.</summary>
internal sealed class RoomModel(string name)
{
    private readonly HashSet<string> _banned = [];
    private readonly HashSet<string> _paced = []; // have said something since slow mode began
    private readonly RoomTerms _terms = new();

    public string Name => name;

    /// <summary>0 until the room is made.</summary>
    public long Id { get; set; }

    public string Creator { get; set; } = "";

    public string Password { get; private set; } = "";

    public string Terms => Show(_terms);

    public SortedDictionary<string, MemberModel> Members { get; } = new(StringComparer.Ordinal);

    public HashSet<string> Muted { get; } = [];

    /// <summary>Everything that has a place in the order of the room.</summary>
    public List<EventModel> Events { get; } = [];

    /// <summary>What the history has of it.</summary>
    public EventModel[] Messages => [.. Events.Where(static told => told.Author is not null)];

    public static string Show(RoomTerms? terms) => $"'{terms?.Topic}'{(terms is { Locked: true } ? " locked" : "")}"
        + $"{(terms is { HasPassword: true } ? " password" : "")} {terms?.Capacity ?? 0} players, {terms?.SlowModeSeconds ?? 0} seconds";

    /// <summary>The creator owns the room, also while it is no member.</summary>
    public RoomRole RoleOf(string player) =>
        Members.TryGetValue(player, out MemberModel? member) ? member.Role : player == Creator ? RoomRole.Owner : RoomRole.Member;

    /// <param name="player">The player that joins.</param>
    /// <param name="password">What it joins with.</param>
    /// <param name="others">The players that are there, without itself.</param>
    /// <param name="isPresent">Whether it is there on another device.</param>
    /// <param name="isNode">Whether the server is a node, which looks at the password before it asks whether there is a place.</param>
    public ErrorCode JudgeJoin(string player, string password, int others, bool isPresent, bool isNode)
    {
        bool isAtHome = Members.ContainsKey(player) || player == Creator;
        ErrorCode secret = !isAtHome && password != Password && _terms.HasPassword ? ErrorCode.RoomPasswordRequired : ErrorCode.None;
        return isNode && secret != ErrorCode.None ? secret
            : !isPresent && _terms.Capacity > 0 && others >= _terms.Capacity ? ErrorCode.RoomFull
            : _banned.Contains(player) ? ErrorCode.Forbidden
            : _terms.Locked && !isAtHome ? ErrorCode.RoomLocked
            : secret;
    }

    public ErrorCode JudgeSay(string player) =>
        Muted.Contains(player) || (RoleOf(player) < RoomRole.Moderator && _paced.Contains(player)) ? ErrorCode.Forbidden : ErrorCode.None;

    /// <summary>The server has started again, and does not know any more who has spoken.</summary>
    public void Restart() => _paced.Clear();

    public ErrorCode JudgeEdit(string player, EventModel message, string text) => message.IsGone ? ErrorCode.MessageNotFound
        : (message.Author == player ? text.Length == 0 || !Muted.Contains(player)
            : text.Length == 0 && RoleOf(player) > RoomRole.Member && RoleOf(player) > RoleOf(message.Author!)) ? ErrorCode.None
        : ErrorCode.Forbidden;

    public ErrorCode JudgeReaction(string player, EventModel message, bool remove) => message.IsGone ? ErrorCode.MessageNotFound
        : !remove && Muted.Contains(player) ? ErrorCode.Forbidden : ErrorCode.None;

    public ErrorCode JudgeModeration(string player, CModerateReq request, DirectModel direct)
    {
        (string target, ModerationAction action) = (request.PlayerName, request.Action);
        bool isMember = Members.ContainsKey(target);
        return RoleOf(player) < (action == ModerationAction.SetRole ? RoomRole.Owner : RoomRole.Moderator) ? ErrorCode.Forbidden
            : action >= ModerationAction.SetTopic ? ErrorCode.None
            : action == ModerationAction.Invite && direct.HasBlocked(target, player) ? ErrorCode.PlayerRefuses
            : target == player || RoleOf(target) >= RoleOf(player) ? ErrorCode.Forbidden
            : action switch
            {
                ModerationAction.Mute or ModerationAction.Kick or ModerationAction.SetRole when !isMember => ErrorCode.NotInRoom,
                ModerationAction.Invite when isMember => ErrorCode.AlreadyInRoom,
                ModerationAction.Unmute when !Muted.Contains(target) => ErrorCode.Forbidden,
                ModerationAction.Unban when !_banned.Contains(target) => ErrorCode.Forbidden,
                ModerationAction.Invite when _banned.Contains(target) => ErrorCode.Forbidden,
                _ => ErrorCode.None,
            };
    }

    /// <summary>A player that is no member becomes one, and need not read what was said before.</summary>
    public void Enter(string player) => Members.TryAdd(player, new MemberModel
    {
        Role = RoleOf(player),
        Read = Messages.LastOrDefault(static said => said.Author != EventModel.System)?.Sequence ?? 0,
    });

    public void Say(string player, string text, long sequence, DirectModel direct)
    {
        Events.Add(new EventModel { Told = $"{player}: {text}", Author = player, Text = text, Sequence = sequence });
        _ = _terms.SlowModeSeconds > 0 && RoleOf(player) < RoomRole.Moderator && _paced.Add(player);
        foreach ((string mentioned, MemberModel member) in Members)
        {
            if (mentioned != player && text.EndsWith($"@{mentioned}", StringComparison.OrdinalIgnoreCase)
                && !direct.HasBlocked(mentioned, player))
            {
                member.Mentions.Add(sequence);
            }
        }
    }

    /// <summary>SYSTEM says something, of which those hear more that are in the room.</summary>
    public void Note(string text, string more) =>
        Events.Add(new EventModel { Told = $"* {text}{more}", Author = EventModel.System, Text = text });

    public void Moderate(string player, CModerateReq request, bool isPresent)
    {
        (string target, ModerationAction action) = (request.PlayerName, request.Action);
        string role = request.Role switch { RoomRole.Owner => "an owner", RoomRole.Moderator => "a moderator", _ => "a member" };
        string text = action switch
        {
            ModerationAction.Mute => $"{target} was muted by {player}.",
            ModerationAction.Unmute => $"{player} let {target} speak again.",
            ModerationAction.Kick => $"{target} was removed by {player}.",
            ModerationAction.Ban => $"{target} was banned by {player}.",
            ModerationAction.Unban => $"{player} lifted the ban of {target}.",
            ModerationAction.Invite => $"{player} invited {target}.",
            ModerationAction.SetRole => $"{player} made {target} {role}.",
            ModerationAction.SetTopic => $"{player} set the topic: {request.Topic}",
            ModerationAction.SetSlowMode when request.Seconds == 0 => $"{player} ended slow mode.",
            ModerationAction.SetSlowMode => $"{player} began slow mode: members speak once in {request.Seconds} seconds.",
            ModerationAction.SetCapacity when request.Capacity == 0 => $"{player} ended the room's own capacity.",
            ModerationAction.SetCapacity => $"{player} set the capacity: {request.Capacity} players.",
            ModerationAction.SetPassword when request.Password.Length == 0 => $"{player} removed the password.",
            ModerationAction.SetPassword => $"{player} set a password. Members don't need it.",
            ModerationAction.Lock => $"{player} locked the room: only members enter.",
            _ => $"{player} unlocked the room.",
        };
        bool isOut = action is ModerationAction.Kick or ModerationAction.Ban && Members.Remove(target) && isPresent;
        _ = action switch
        {
            ModerationAction.Mute => Muted.Add(target),
            ModerationAction.Unmute => Muted.Remove(target),
            ModerationAction.Ban => _banned.Add(target),
            ModerationAction.Unban => _banned.Remove(target),
            ModerationAction.Lock => _terms.Locked = true,
            ModerationAction.Unlock => _terms.Locked = false,
            _ => false,
        };
        _terms.Topic = action == ModerationAction.SetTopic ? request.Topic : _terms.Topic;
        _terms.Capacity = action == ModerationAction.SetCapacity ? request.Capacity : _terms.Capacity;
        Password = action == ModerationAction.SetPassword ? request.Password : Password;
        _terms.HasPassword = Password.Length > 0;
        if (action == ModerationAction.SetSlowMode && request.Seconds != _terms.SlowModeSeconds)
        {
            _terms.SlowModeSeconds = request.Seconds;
            _paced.Clear();
        }

        if (action is ModerationAction.Invite or ModerationAction.SetRole)
        {
            Enter(target);
            Members[target].Role = request.Action == ModerationAction.SetRole ? request.Role : Members[target].Role;
        }

        Note(text, isOut ? $" -{target}" : action >= ModerationAction.SetTopic ? "" : $" {target}={RoleOf(target)}");
    }

    /// <summary>The messages of players behind one, as far as another player has said them.</summary>
    public int CountAfter(long sequence, string? except = null) => Messages.Count(said =>
        said.Sequence > sequence && said.Author != EventModel.System && said.Author != except);

    /// <summary>The newest messages, as they are and as a history shows them.</summary>
    public (string Model, string Told) Match(IReadOnlyList<SRoomChatNtf> history, int length, string reader)
    {
        EventModel[] expected = [.. Messages.TakeLast(length)];
        foreach ((EventModel message, SRoomChatNtf told) in expected.Zip(history))
        {
            message.Sequence = message.Sequence == 0 ? told.Sequence : message.Sequence; // SYSTEM said it to nobody
        }

        return (string.Join('\n', expected.Select(said => said.Show(reader))), string.Join('\n', history.Select(EventModel.Show)));
    }

    /// <summary>What is known of a member, with the messages that have mentioned it.</summary>
    internal sealed class MemberModel
    {
        public RoomRole Role { get; set; }

        public long Read { get; set; }

        public List<long> Mentions { get; } = [];
    }
}
