using System.Collections.Concurrent;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Recording;

/// <summary>Records rooms of a server: from their creation on (<see cref="RecordingOptions.Record"/>), or from the moment when an operator
/// asks for it. Thread-safe.</summary>
/// <remarks>Give it to one server by <c>UseRecording</c>.</remarks>
public sealed class RoomRecordings
{
    private const string Continues =
        "It continues after a restart of its server, so a recording cannot begin with its creation. Use StartAsync.";

    private readonly RecordingOptions _options;
    private readonly ConcurrentDictionary<Room, RoomRecording> _running = new();
    private RunningServer? _server;
    private Redaction? _redaction;

    /// <summary>Makes the recordings of one server.</summary>
    /// <param name="configure">Changes the options. Called at once.</param>
    /// <exception cref="ArgumentException">An option is outside of its range.</exception>
    public RoomRecordings(Action<RecordingOptions>? configure = null)
    {
        _options = new RecordingOptions();
        configure?.Invoke(_options);
        _options.Validate();
    }

    /// <summary>The recordings that run, in no particular order.</summary>
    public IReadOnlyCollection<RoomRecording> Running => [.. _running.Values];

    /// <summary>Begins to record a room with the state that it writes now (<c>OnSnapshot</c>).</summary>
    /// <param name="roomName">The name of the room; of several with this name it is the first created.</param>
    /// <param name="limits">When the recording ends by itself. Default: those of the options.</param>
    /// <param name="cancellationToken">Stops waiting; the recording may begin nevertheless.</param>
    /// <exception cref="InvalidOperationException">The server has not started or has no such room; the room is recorded already, runs on
    /// another node of the cluster, writes no state, or has joins whose argument is no message of the server's packets; or too many
    /// recordings run.</exception>
    /// <exception cref="IOException">Creating the file has failed.</exception>
    /// <exception cref="RoomRemovedException">The room was removed.</exception>
    public async Task<RoomRecording> StartAsync(
        string roomName, RecordingLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(roomName);
        RunningServer server = _server
            ?? throw new InvalidOperationException("No server has these recordings: call UseRecording, and start the server.");
        limits ??= _options.Limits;
        limits.Validate();
        Room found = server.Rooms.Find<Room>(roomName)
            ?? throw new InvalidOperationException($"The server has no room named '{roomName}'.");
        Room room = (found.Role is { } role ? role.Runner : found)
            ?? throw new InvalidOperationException($"Another node of the cluster runs the room '{roomName}': record it there.");
        if (FindProblem(room) is { } problem)
        {
            throw new InvalidOperationException($"The room '{roomName}' is not recorded: {problem}");
        }

        RecordingWriter writer = OpenFile(room);
        try
        {
            await writer.Opened.WaitAsync(cancellationToken).ConfigureAwait(false);
            var request = new RoomRequest<Room, RoomRecording>(at => BeginHere(at, limits, writer), static _ => { });
            return await room.PostAsync(RoomRequest<Room, RoomRecording>.Job, request, cancellationToken).ConfigureAwait(false)
                ? await request.Result.WaitAsync(cancellationToken).ConfigureAwait(false)
                : throw new RoomRemovedException(room.Id);
        }
        catch
        {
            writer.Abandon();
            await writer.Completion.ConfigureAwait(false);
            if (writer.Fault is null && writer.Bytes == 0)
            {
                File.Delete(writer.Path);
            }

            throw;
        }
    }

    internal IServerPart CreatePart(RunningServer server)
    {
        _server = server;
        _redaction = new Redaction(server.ConnectionServices.Packets);
        return new Part(this, server);
    }

    private RecordingWriter OpenFile(Room room)
    {
        string name = string.Concat(room.Name.Select(static letter => char.IsAsciiLetterOrDigit(letter) ? letter : '-'));
        // Other servers, and the worlds of a simulation, may have the same folder, room and time.
        string file = string.Create(
            CultureInfo.InvariantCulture,
            $"{name}-{room.Id}-{_server!.Time.GetUtcNow():yyyyMMdd-HHmmss}-{Guid.NewGuid().ToString("N")[..8]}.pcr");
        return new RecordingWriter(Path.Combine(_options.Folder, file), path =>
        {
            Directory.CreateDirectory(_options.Folder);
            return _options.Open(path);
        });
    }

    /// <returns><see langword="null"/> if the room can be recorded.</returns>
    private string? FindProblem(Room room)
    {
        if (_running.Count >= _options.MaxRecordings)
        {
            return $"{_running.Count} rooms are recorded already ({nameof(RecordingOptions.MaxRecordings)}).";
        }

        try
        {
            room.CheckArgument("be recorded");
            return null;
        }
        catch (InvalidOperationException e)
        {
            return e.Message;
        }
    }

    /// <summary>Begins with a room's creation.</summary>
    private void OnCreated(Room room)
    {
        if (room.Context.RecordedTime is not { } clock || !_options.Wants(room))
        {
            // A node's replica, or another room.
        }
        else if ((room.Context.Restored is null ? FindProblem(room) : Continues) is { } problem)
        {
            RecordingLog.NotRecorded(_server!.Logger, room.Id, room.Name, problem);
        }
        else
        {
            Begin(room, HeaderOf(room, clock.GetTimestamp()), _options.Limits, OpenFile(room));
        }
    }

    /// <summary>Begins in a turn of a room that runs.</summary>
    private RoomRecording BeginHere(Room room, RecordingLimits limits, RecordingWriter writer)
    {
        if (room.Tape is not null)
        {
            throw new InvalidOperationException($"The room '{room.Name}' is recorded already.");
        }

        byte[]? snapshot = room.SnapshotGuarded("OnSnapshot")?.WrittenSpan.ToArray();
        if (snapshot is null or [])
        {
            throw new InvalidOperationException(
                $"The room '{room.Name}' writes no state, so a recording of it can only begin with its creation: override OnSnapshot and "
                    + $"OnRestore, or call {nameof(RecordingOptions.Record)} of the options.");
        }

        ((RoomRandom)room.Context.Random).Begin(Random.Shared.Next());
        RoomTimers timers = room.Turn.Timers;
        var state = new RecordingHeader.State(
            snapshot,
            [.. room.EncodeMembers().Select(member => Describe(room, member.Member, member.Argument))],
            [.. timers.Numbered.Select(static timer => new RecordingHeader.Timer(timer.Number, DelegateName.Of(timer.Job!)))],
            timers.LastNumber);
        RecordingHeader header = HeaderOf(room, room.Context.RecordedTime!.RunningTimestamp) with { Resumed = state };
        RoomRecording recording = Begin(room, header, limits, writer);
        room.Tape!.BeginTurn(); // the rest of the present turn is the first one
        return recording;
    }

    private RoomRecording Begin(Room room, RecordingHeader header, RecordingLimits limits, RecordingWriter writer)
    {
        var recorder = new RoomRecorder(room, header, _redaction!, limits, writer);
        recorder.Begin(header);
        room.Tape = recorder;
        var recording = new RoomRecording(room, recorder, writer, _server!.Logger);
        _running[room] = recording;
        RecordingLog.Started(_server.Logger, room.Id, room.Name, writer.Path);
        _ = ForgetAsync(room, recording);
        return recording;
    }

    private async Task ForgetAsync(Room room, RoomRecording recording)
    {
        await recording.Completion.ConfigureAwait(false);
        _running.TryRemove(new(room, recording));
    }

    private RecordingHeader HeaderOf(Room room, long timestamp) => new(
        room.GetType().FullName!,
        room.Id,
        room.CopySettings(),
        room.IsClustered,
        RecordingHeader.FingerprintOf(room.Context.Shared.Packets),
        RecordingHeader.BuildOf(room.GetType()),
        room.Context.RecordedTime!.GetUtcNow(),
        timestamp,
        ((RoomRandom)room.Context.Random).Seed,
        _options.RecordsBodies);

    private RecordingHeader.Member Describe(Room room, RoomMember member, byte[] argument)
    {
        Session session = member.Session;
        ReadOnlySpan<byte> recorded = argument;
        _redaction!.TryApply(room.JoinPacket?.Id, ref recorded);
        return new RecordingHeader.Member(session.Id, session.User?.Id, session.User?.Name, recorded.ToArray(), member.IsAway);
    }

    /// <summary>The recordings as a part of their server.</summary>
    private sealed class Part : IServerPart, IRoomRecordings
    {
        private readonly RoomRecordings _recordings;

        internal Part(RoomRecordings recordings, RunningServer server)
        {
            _recordings = recordings;
            server.RoomServices.Recordings = this;
        }

        public void OnCreated(Room room) => _recordings.OnCreated(room);

        public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task HandOverAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        /// <summary>Closes the files. The rooms have ended, unless the server had no time for that.</summary>
        public async ValueTask DisposeAsync()
        {
            foreach (RoomRecording recording in _recordings._running.Values)
            {
                await recording.AbandonAsync().ConfigureAwait(false);
            }
        }
    }
}
