namespace PlayChat.Core.Rooms;

/// <summary>What a <see cref="RoomClock"/> wakes.</summary>
internal interface IWakeable : IDue
{
    /// <summary>Its time has come, or the clock ends and it is a <see cref="FlushWait"/>. On the clock's thread, so it must be short.</summary>
    void Wake();
}
