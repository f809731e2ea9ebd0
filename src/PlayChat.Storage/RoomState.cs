namespace PlayChat.Storage;

/// <summary>The state of a stored room. The numbers are stored.</summary>
public enum RoomState
{
    /// <summary>It is open; or its server ended without saying how far it had come, so <see cref="RoomPosition.LastSequence"/> is the least
    /// that it had reached.</summary>
    Open = 0,

    /// <summary>It was open when its server stopped in order, and had come to <see cref="RoomPosition.LastSequence"/>.</summary>
    Stopped = 1,

    /// <summary>Everybody had left, and it was removed.</summary>
    Removed = 2,
}
