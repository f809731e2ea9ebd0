namespace PlayChat.Recording;

/// <summary>What an entry is. The numbers are those of the file: never changed, below 32.</summary>
internal enum EntryKind : byte
{
    None = 0, // not an entry: the record is over
    Header = 1, // the only entry of the first record; the content is JSON
    Turn = 2, // timestamp; the first entry of each turn
    End = 3, // a RecordingEnd; the only entry of the last record
    Session = 4, // number, id, connection, whether it has a user, the user's id; the content is the user's name
    Text = 5, // a content that later entries name by its number; the first is 0
    Changed = 6, // session, whether it has ended, whether it is away, connection
    Timer = 7, // number, delay, text of its job
    Tick = 8, // number, elapsed, missed, drift
    Frame = 9, // session, header (3 numbers); for OnFrame
    Packet = 10, // session, header (3 numbers); for a handler
    Join = 11, // session, whether the password is right, whether the session has ended; the content is the argument
    Leave = 12, // session, LeaveReason; as its client or the cluster wants
    LinkChanged = 13, // session, whether it is away, whether it has missed nothing; a member on a node of the cluster
    Command = 14, // RoomCommand.Number
    Code = 15, // text; code that nothing can repeat
    Job = 16, // text; a RoomJob, with its argument as content
    EndOfTurn = 17, // what follows is of the end of the turn; left out if nothing follows
    Sent = 18, // header (3 numbers), text of the recipients, length, checksum; the content only with RecordsBodies
    NotAccepted = 19, // the session of the last frame has not accepted it
    Failed = 20, // text of the type of an exception that code of the room has thrown
    Recovered = 21, // whether the member that has just returned has missed nothing
    Drawn = 22, // how many random numbers the turn drew; its last entry, left out if it drew none
}
