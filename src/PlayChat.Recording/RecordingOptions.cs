namespace PlayChat.Recording;

/// <summary>Where recordings go, and which rooms are recorded from their creation. Read when the server starts.</summary>
public sealed class RecordingOptions
{
    /// <summary>The folder of the files; created if it does not exist. Default: <c>recordings</c> in the current folder.</summary>
    /// <remarks>PlayChat deletes no file in it. A file has what players send, so protect the folder like a log.</remarks>
    public string Folder { get; set; } = "recordings";

    /// <summary>The limits of a recording that has none of its own.</summary>
    public RecordingLimits Limits { get; set; } = new();

    /// <summary>
    /// Whether a recording has the content of each frame that the room sends, so that a replay shows what differs, and not only where.
    /// Default false: its length and a checksum.
    /// </summary>
    public bool RecordsBodies { get; set; }

    /// <summary>How many rooms are recorded at the same time. Default 8; from 1. Rooms beyond it run unrecorded.</summary>
    public int MaxRecordings { get; set; } = 8;

    /// <summary>Opens a file for writing. For tests.</summary>
    internal Func<string, Stream> Open { get; set; } = static path =>
        new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0, useAsync: true);

    /// <summary>Whether a room is recorded from its creation on.</summary>
    internal Func<Room, bool> Wants { get; private set; } = static _ => false;

    /// <summary>Records the rooms of a type from their creation on. A room that continues after a restart is not recorded.</summary>
    /// <typeparam name="TRoom">The type, or a base of it.</typeparam>
    /// <param name="filter">Chooses rooms. It must be fast: it runs while a room is created. Default: all of them.</param>
    /// <returns>The options.</returns>
    public RecordingOptions Record<TRoom>(Func<TRoom, bool>? filter = null)
        where TRoom : Room
    {
        Func<Room, bool> others = Wants;
        Wants = room => others(room) || (room is TRoom own && filter?.Invoke(own) != false);
        return this;
    }

    /// <exception cref="ArgumentException">A value is outside of its range.</exception>
    internal void Validate()
    {
        RecordingLimits.Check(Folder.Length, 1, nameof(Folder));
        RecordingLimits.Check(MaxRecordings, 1, nameof(MaxRecordings));
        Limits.Validate();
    }
}
