namespace PlayChat.Core.Rooms;

/// <summary>An item that a <see cref="RoomClock"/> wakes.</summary>
internal interface IWakeable : IDue
{
    /// <summary>
    /// Called on the clock's thread when the item is due, or when the clock is disposed and the item is a <see cref="FlushWait"/>. Must
    /// be short.
    /// </summary>
    void Wake();
}
