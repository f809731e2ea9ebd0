namespace PlayChat.Core.Rooms;

/// <summary>The argument of a posted job that can say what the job is. Only the room's turn asks.</summary>
internal interface IRoomInput
{
    /// <summary>Describes the job by one call at most; by none if it changes nothing of the room.</summary>
    void Describe(RoomTape tape);
}
