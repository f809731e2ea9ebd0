namespace PlayChat.Recording;

/// <summary>Why a recording has ended. The numbers are those of the file: never changed.</summary>
public enum RecordingEnd
{
    /// <summary>The file has no end: its server was killed.</summary>
    Unknown = 0,

    /// <summary><see cref="RoomRecording.StopAsync"/> was called.</summary>
    Stopped = 1,

    /// <summary>The room has ended, perhaps because its server stopped.</summary>
    RoomEnded = 2,

    /// <summary>The file would be larger than <see cref="RecordingLimits.MaxBytes"/>.</summary>
    MaxBytes = 3,

    /// <summary><see cref="RecordingLimits.MaxDuration"/> has passed.</summary>
    MaxDuration = 4,

    /// <summary>The disk is slower than the room. About 4 MB waited for it.</summary>
    DiskTooSlow = 5,

    /// <summary>The file was not written, for example because the disk is full; <see cref="RecordingResult.Error"/> says why.</summary>
    WriteFailed = 6,
}
