using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Chat.Rooms;
using PlayChat.Core.Rooms;
using PlayChat.Recording;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Records rooms for an operator, and shows the recordings.</summary>
internal sealed class RecordingEditor(RoomReader rooms, ChatBuilder? chat = null, RoomRecordings? recordings = null)
{
    private const string NotSetUp =
        "This server records no rooms. Call UseRecording of the ChatBuilder (AddChat) with a RoomRecordings, and restart the server.";

    private RoomRecordings Recordings => recordings ?? throw AdminException.Conflict(NotSetUp);

    /// <summary>Lists the files, the newest first.</summary>
    public RecordingList List(int limit)
    {
        new ListQuery(Limit: limit).Check("id");
        var folder = new DirectoryInfo(recordings?.Folder ?? ".");
        IEnumerable<FileInfo> files = recordings is null || !folder.Exists ? [] : folder.EnumerateFiles("*.pcr");
        IEnumerable<RecordingInfo> newest = files.OrderByDescending(static file => file.LastWriteTimeUtc).Take(limit)
            .Select(file => (File: file, Running: FindRunning(file.Name)))
            .Select(static one => new RecordingInfo(
                one.File.Name, one.Running?.Bytes ?? one.File.Length, one.File.LastWriteTimeUtc, one.Running?.RoomId));
        return new RecordingList([.. newest], recordings is null ? NotSetUp : null);
    }

    /// <exception cref="AdminException">There is no such room, it is not recordable, or a bound is out of range.</exception>
    public async Task<ActionResult> StartAsync(RecordingRequest request, CancellationToken cancellationToken)
    {
        RecordingLimits most = Recordings.Limits;
        long bytes = Math.Min(request.MaxBytes ?? long.MaxValue, most.MaxBytes);
        double seconds = Math.Clamp(request.MaxSeconds ?? double.MaxValue, 0, most.MaxDuration.TotalSeconds);
        var limits = new RecordingLimits { MaxBytes = bytes, MaxDuration = TimeSpan.FromSeconds(seconds) };
        Room room = rooms.Get(request.Room);
        if (room.GetType().Assembly == typeof(ChatRoom).Assembly)
        {
            throw AdminException.Conflict(
                $"Room {room.Id} is one of the chat. Its messages and members are in the database, which a replay does not have. Record "
                    + $"rooms of your own; GET /rooms/{room.Id}/messages has what was said.");
        }

        try
        {
            string file = Path.GetFileName((await Recordings.StartAsync(room, limits, cancellationToken)).Path);
            return new ActionResult($"Room {room.Id} is recorded in {file}, for at most {seconds} seconds and {bytes} bytes.", 1);
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or IOException or UnauthorizedAccessException)
        {
            throw e is ArgumentException ? AdminException.Invalid(e.Message) : AdminException.Conflict(e.Message);
        }
    }

    /// <summary>Ends a recording with the present turn of its room.</summary>
    public async Task<ActionResult> StopAsync(string file, CancellationToken cancellationToken)
    {
        RoomRecording running = FindRunning(file)
            ?? throw AdminException.NotFound($"No recording {file} runs. List the recordings to see which do.");
        RecordingResult result = await running.StopAsync().WaitAsync(cancellationToken);
        return new ActionResult($"The recording {file} has ended ({result.End}): {result.Turns} turns in {result.Bytes} bytes.", 1);
    }

    /// <summary>Opens a file of the list.</summary>
    public FileStream Open(string file)
    {
        string path = Path.Combine(Recordings.Folder, Path.GetFileName(file));
        return Path.GetFileName(file) == file && Path.GetExtension(file) == ".pcr" && File.Exists(path)
            ? RecordingFile.Open(path)
            : throw AdminException.NotFound($"There is no recording {file}. List the recordings to see which there are.");
    }

    /// <summary>Reads a page of a recording, and closes the file.</summary>
    /// <exception cref="AdminException">The query is invalid, or the file is no readable recording.</exception>
    public async Task<RecordingEvents> ReadAsync(Stream file, ListQuery query, string? kinds, CancellationToken cancellationToken)
    {
        await using Stream seekable = file.CanSeek ? file : new MemoryStream();
        if (seekable != file)
        {
            await file.CopyToAsync(seekable, cancellationToken);
            seekable.Position = 0;
        }

        string[]? wanted = kinds?.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        if (wanted?.Except(RecordingReader.Kinds, StringComparer.Ordinal).FirstOrDefault() is { } unknown)
        {
            throw AdminException.Invalid($"kinds has '{unknown}'; allowed are {string.Join(", ", RecordingReader.Kinds)}.");
        }

        bool isEmpty = seekable.Length == 0;
        try
        {
            return RecordingReader.Read(seekable, chat?.Packets ?? ChatPackets.All, query.Check("id"), wanted, cancellationToken);
        }
        catch (InvalidDataException e)
        {
            throw AdminException.Invalid(isEmpty ? "The file is empty so far. Read it again." : $"{e.Message} Choose another file.");
        }
    }

    private RoomRecording? FindRunning(string file) => Recordings.Running.FirstOrDefault(one => Path.GetFileName(one.Path) == file);
}
