namespace PlayChat.Recording;

/// <summary>A recording that runs, or has ended. Thread-safe.</summary>
public sealed class RoomRecording
{
    private readonly Room _room;
    private readonly RoomRecorder _recorder;
    private readonly RecordingWriter _writer;

    internal RoomRecording(Room room, RoomRecorder recorder, RecordingWriter writer, ILogger logger)
    {
        _room = room;
        _recorder = recorder;
        _writer = writer;
        Completion = CompleteAsync(logger);
    }

    /// <summary>The file.</summary>
    public string Path => _writer.Path;

    /// <summary>The id of the room.</summary>
    public long RoomId => _room.Id;

    /// <summary>The name of the room.</summary>
    public string RoomName => _room.Name;

    /// <summary>The bytes that were written so far.</summary>
    public long Bytes => _writer.Bytes;

    /// <summary>Completes when the recording has ended and its file is closed. Never faults.</summary>
    public Task<RecordingResult> Completion { get; }

    /// <summary>Ends the recording with the present turn of the room; does nothing if it has ended.</summary>
    /// <returns>The same as <see cref="Completion"/>.</returns>
    public async Task<RecordingResult> StopAsync()
    {
        var request = new RoomRequest<Room, RecordingEnd>(_ => _recorder.Stop(RecordingEnd.Stopped), static _ => { });
        await _room.PostAsync(RoomRequest<Room, RecordingEnd>.Job, request).ConfigureAwait(false);
        return await Completion.ConfigureAwait(false);
    }

    /// <summary>Closes the file, because the server has ended.</summary>
    internal Task AbandonAsync()
    {
        _writer.Abandon();
        return Completion;
    }

    private async Task<RecordingResult> CompleteAsync(ILogger logger)
    {
        await _writer.Completion.ConfigureAwait(false);
        (long turns, TimeSpan duration) = _recorder.Progress;
        RecordingEnd end = _writer.Fault is null ? _recorder.End : RecordingEnd.WriteFailed;
        string? error = _writer.Fault?.Message;
        bool isEarly = end is RecordingEnd.DiskTooSlow or RecordingEnd.WriteFailed;
        string problem = isEarly ? $"{error ?? "The disk is too slow."} The file can be replayed up to its last whole turn." : "";
        RecordingLog.Ended(logger, isEarly ? LogLevel.Warning : LogLevel.Information, RoomId, RoomName, end, turns, Bytes, Path, problem);
        return new RecordingResult(Path, end, Bytes, turns, duration, error);
    }
}
