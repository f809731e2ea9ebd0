namespace PlayChat.Protocol;

/// <summary>The numbers of the chat protocol that client and server share. proto/PROTOCOL.md, "Limits".</summary>
/// <remarks>What breaks one is refused with its error code, never cut to size. <see cref="ChatRules"/> applies them.</remarks>
public static class ChatLimits
{
    /// <summary>Longest player name, in Unicode code points; the shortest has 1.</summary>
    public const int MaxPlayerNameChars = 32;

    /// <summary>Longest room name, in Unicode code points; the shortest has 1.</summary>
    public const int MaxRoomNameChars = 64;

    /// <summary>Longest type of a room, in characters; the shortest has 0 and means none.</summary>
    public const int MaxRoomTypeChars = 32;

    /// <summary>Most properties of a room.</summary>
    public const int MaxRoomProperties = 8;

    /// <summary>Longest key of a room's property, in characters; the shortest has 1.</summary>
    public const int MaxRoomPropertyKeyChars = 32;

    /// <summary>Longest value of a room's property, in Unicode code points; the shortest has 1.</summary>
    public const int MaxRoomPropertyValueChars = 64;

    /// <summary>Longest chat text, in bytes of UTF-8; the shortest has 1.</summary>
    public const int MaxTextBytes = 4000;

    /// <summary>Longest password, in bytes of UTF-8. Bounds the work of hashing one.</summary>
    public const int MaxPasswordBytes = 256;

    /// <summary>Longest client version, in Unicode code points; may be empty.</summary>
    public const int MaxClientVersionChars = 64;

    /// <summary>
    /// Rooms in one page of a list: as many as fit <see cref="MaxServerFrameBytes"/> whatever their names and properties are.
    /// </summary>
    public const int MaxRoomsPerPage = 200;

    /// <summary>Messages in one page of a room's history: as many as fit <see cref="MaxServerFrameBytes"/> whatever they say.</summary>
    public const int MaxHistoryMessages = 200;

    /// <summary>Longest emoji of a reaction, in bytes of UTF-8.</summary>
    public const int MaxReactionBytes = 32;

    /// <summary>Most different emojis that a message is reacted to with.</summary>
    public const int MaxReactions = 20;

    /// <summary>Messages in one page of a search.</summary>
    public const int MaxFoundMessages = 50;

    /// <summary>Longest text of a search, in bytes of UTF-8; the shortest has one letter or digit.</summary>
    public const int MaxSearchBytes = 200;

    /// <summary>Longest reason of a report, and longest note of a moderator, in bytes of UTF-8.</summary>
    public const int MaxReportBytes = 512;

    /// <summary>Reports in one page.</summary>
    public const int MaxReportsPerPage = 20;

    /// <summary>Most reports of a room. Only resolved ones make place for others.</summary>
    public const int MaxRoomReports = 1000;

    /// <summary>Lines before a reported message, and after it, that its report has.</summary>
    public const int ReportedNeighbours = 5;

    /// <summary>Most members that a server may let into a room: their list still fits <see cref="MaxServerFrameBytes"/>.</summary>
    public const int MaxRoomMembers = 5000;

    /// <summary>
    /// Largest value of the length field that a server accepts from a client unless it is configured otherwise, in bytes.
    /// </summary>
    public const int DefaultMaxClientFrameBytes = 64 * 1024;

    /// <summary>Largest value of the length field that a server may send, in bytes: every client takes it.</summary>
    public const int MaxServerFrameBytes = 1024 * 1024;

    /// <summary>The name under which the server itself speaks in a room. No player can have it, in whatever case.</summary>
    public const string SystemName = "SYSTEM";
}
