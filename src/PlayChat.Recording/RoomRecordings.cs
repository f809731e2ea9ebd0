using System.Collections.Concurrent;
using PlayChat.Core.Diagnostics;

namespace PlayChat.Recording;

/// <summary>Records rooms of a server: from their creation on (<see cref="RecordingOptions.Record"/>), or from the moment when an operator
/// asks for it. Thread-safe.</summary>
/// <remarks>Give it to one server by <c>UseRecording</c>.</remarks>
public sealed class RoomRecordings
{
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

    /// <summary>The limits of a recording that has none of its own.</summary>
    public RecordingLimits Limits => _options.Limits;

    /// <summary>The folder of the files; it may not exist yet.</summary>
    public string Folder => _options.Folder;

    /// <summary>The recordings that run, in no particular order.</summary>
    public IReadOnlyCollection<RoomRecording> Running => [.. _running.Values];

    /// <summary>Begins to record the room with a name; of several it is the first created.</summary>
    /// <inheritdoc cref="StartAsync(Room, RecordingLimits, CancellationToken)"/>
    /// <param name="roomName">The name.</param>
    /// <param name="limits">When the recording ends by itself. Default: those of the options.</param>
    /// <param name="cancellationToken">Stops waiting; the recording may begin nevertheless.</param>
    public Task<RoomRecording> StartAsync(
        string roomName, RecordingLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(roomName);
        Room room = Server.Rooms.Find<Room>(roomName)
            ?? throw new InvalidOperationException($"The server has no room named '{roomName}'.");
        return StartAsync(room, limits, cancellationToken);
    }

    /// <summary>Begins to record a room with the state that it writes now (<c>OnSnapshot</c>).</summary>
    /// <param name="room">A room of the server.</param>
    /// <param name="limits">When the recording ends by itself. Default: those of the options.</param>
    /// <param name="cancellationToken">Stops waiting; the recording may begin nevertheless.</param>
    /// <exception cref="InvalidOperationException">The server has not started or has no such room; the room is recorded already, runs on
    /// another node of the cluster, writes no state, or has joins whose argument is no message of the server's packets; or too many
    /// recordings run.</exception>
    /// <exception cref="IOException">Creating the file has failed.</exception>
    /// <exception cref="RoomRemovedException">The room was removed.</exception>
    public async Task<RoomRecording> StartAsync(
        Room room, RecordingLimits? limits = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(room);
        limits ??= _options.Limits;
        limits.Validate();
        if (room.Context.Shared != Server.RoomServices)
        {
            throw new ArgumentException("It is a room of another server.", nameof(room));
        }

        room = (room.Role is { } role ? role.Runner : room)
            ?? throw new InvalidOperationException($"Another node of the cluster runs the room '{room.Name}': record it there.");
        Check(room);
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

    private RunningServer Server =>
        _server ?? throw new InvalidOperationException("No server has these recordings: call UseRecording, and start the server.");

    internal IServerPart CreatePart(RunningServer server)
    {
        _server = server;
        _redaction = new Redaction(server.ConnectionServices.Packets);
        server.RoomServices.Record = OnCreated;
        return new Part(this);
    }

    private RecordingWriter OpenFile(Room room)
    {
        string name = string.Concat(room.Name.Select(static letter => char.IsAsciiLetterOrDigit(letter) ? letter : '-'));
        // Other servers, and the worlds of a simulation, may have the same folder, room and time.
        string file = string.Create(
            CultureInfo.InvariantCulture,
            $"{name}-{room.Id}-{Server.Time.GetUtcNow():yyyyMMdd-HHmmss}-{Guid.NewGuid().ToString("N")[..8]}.pcr");
        return new RecordingWriter(Path.Combine(_options.Folder, file), path =>
        {
            Directory.CreateDirectory(_options.Folder);
            return _options.Open(path);
        });
    }

    /// <exception cref="InvalidOperationException">Too many recordings run, or the room has joins that are not encoded.</exception>
    private void Check(Room room)
    {
        if (_running.Count >= _options.MaxRecordings)
        {
            throw new InvalidOperationException(
                $"The room '{room.Name}' is not recorded: {_running.Count} others are ({nameof(RecordingOptions.MaxRecordings)}).");
        }

        room.CheckArgument("be recorded");
    }

    /// <summary>Begins with a room's creation.</summary>
    private void OnCreated(Room room)
    {
        if (room.Context.RecordedTime is not { } clock || !_options.Wants(room))
        {
            return; // a node's replica, or another room
        }

        try
        {
            Check(room.Context.Restored is null ? room : throw new InvalidOperationException(
                "It continues after a restart of its server, so a recording cannot begin with its creation. Use StartAsync."));
            Begin(room, HeaderOf(room, clock.GetTimestamp()), _options.Limits, OpenFile(room));
        }
        catch (InvalidOperationException e)
        {
            RecordingLog.NotRecorded(Server.Logger, room.Id, room.Name, e.Message);
        }
    }

    /// <summary>Begins in a turn of a room that runs.</summary>
    private RoomRecording BeginHere(Room room, RecordingLimits limits, RecordingWriter writer)
    {
        if (room.Tape is not null)
        {
            throw new InvalidOperationException($"The room '{room.Name}' is recorded already. Stop that recording first.");
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
        var recording = new RoomRecording(room, recorder, writer, Server.Logger);
        _running[room] = recording;
        RecordingLog.Started(Server.Logger, room.Id, room.Name, writer.Path);
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

    private sealed class Part(RoomRecordings recordings) : IServerPart
    {
        public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task HandOverAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        /// <summary>Closes the files. The rooms have ended, unless the server had no time for that.</summary>
        public async ValueTask DisposeAsync() =>
            await Task.WhenAll(recordings._running.Values.Select(static running => running.AbandonAsync())).ConfigureAwait(false);
    }
}
