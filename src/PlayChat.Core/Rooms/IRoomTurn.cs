namespace PlayChat.Core.Rooms;

/// <summary>
/// The turn that a <see cref="RoomScheduler"/> runs. The scheduler calls its members only in the turn, except <see cref="IsTimerDue"/> and
/// <see cref="HasWork"/>.
/// </summary>
internal interface IRoomTurn
{
    /// <summary>Whether the flush has so few connections that it does not need a lane.</summary>
    bool IsSmall { get; }

    /// <summary>Whether the turn ended at a cap, so that more work is due at once.</summary>
    bool IsCutShort { get; }

    /// <summary>Whether a timer is due. Any thread may ask.</summary>
    bool IsTimerDue { get; }

    /// <summary>Whether items or changed sessions wait for the next turn. Any thread may ask.</summary>
    bool HasWork { get; }

    /// <summary>Returns whether the turn has to wait because of its members.</summary>
    bool MustHold();

    /// <summary>Runs the work that waits, up to the caps.</summary>
    /// <returns>Whether there is something to flush.</returns>
    bool Run();

    /// <summary>Flushes a slice of what the turn has sent.</summary>
    /// <returns>Whether everything is flushed.</returns>
    bool FlushSlice();

    /// <summary>Called after the last slice.</summary>
    void OnFlushed();
}
