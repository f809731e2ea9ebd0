using PlayChat.Options;

namespace PlayChat.Chat.Configuration;

/// <summary>Section <c>Rooms</c>.</summary>
internal sealed class ChatRoomSettings
{
    [Option(
        "Number of chat rooms at once; with Lasting, those without members count, too. In a cluster each node counts those that have "
            + "members there.",
        Min = 1,
        Max = 1_000_000,
        WhenReached = "The request is answered SERVER_FULL.",
        SeenIn = "`rooms` in the table",
        Reloadable = true,
        Why = "Rooms would take memory, and rows in the database, without end.")]
    public int MaxRooms { get; set; } = 10_000;

    [Option(
        "Number of chat rooms at once that one player has created. In a cluster it counts only with Lasting.",
        Min = 1,
        Max = 1_000_000,
        WhenReached = "The request is answered SERVER_FULL until one of the rooms is removed: without Lasting, when it is empty.",
        Reloadable = true,
        Why = "A few players would take all the rooms of the server.")]
    public int MaxCreatedPerPlayer { get; set; } = 50;

    [Option(
        "Whether rooms last: one without members stays, also after a restart, until its owner or an operator removes it, and a player that "
            + "goes offline stays a member. With auto they do, except in a cluster, where every node has to say true. Set false for games "
            + "whose rooms need not last.",
        LowerCase = true)]
    public AutoSwitch Lasting { get; set; }

    [Option("With Lasting, no two rooms have the same name, whatever its case.")]
    public bool UniqueNames { get; set; } = true;

    [Option(
        "With Lasting, number of members of a room, those that are offline included; players that are banned or muted count, too.",
        Min = 1,
        Max = 100_000,
        WhenReached = "A new member is answered FORBIDDEN.",
        Reloadable = true,
        Why = "A room reads its members into memory when it is joined: about 200 bytes each.")]
    public int MaxLastingMembers { get; set; } = 10_000;

    [Option(
        "How long players may change or delete what they have said; 0 for never. Moderators of a room delete what members have said "
            + "at any time.",
        Min = "00:00:00",
        Max = "3650.00:00:00",
        Reloadable = true)]
    public TimeSpan EditWindow { get; set; } = TimeSpan.FromDays(1);

    [Option(
        "Number of client_message_ids that a room remembers of each member, to answer a repeated message: at least the requests that a "
            + "client sends without waiting for an answer. 16 bytes each.",
        Min = 0,
        Max = 32_768)]
    public int RecentMessageIds { get; set; } = 1024;

    [Option(
        "Number of newest messages, joins and leaves that a room keeps in memory, for its history and for resuming players.",
        Min = 0,
        Max = 1_000_000,
        WhenReached = "The room drops the oldest. Its history continues in the database.")]
    public int HistoryMessages { get; set; } = 1000;

    [Option(
        "Bytes that they may have on the wire; in memory they take up to three times that.",
        Min = 0,
        Max = 67_108_864,
        WhenReached = "The room drops the oldest. Its history continues in the database.")]
    public int HistoryBytes { get; set; } = 262_144;

    [Option("Number of newest messages, from that memory, that the answer to a join carries.", Min = 0, Max = 50, Reloadable = true)]
    public int HistoryOnJoin { get; set; } = 20;
}
