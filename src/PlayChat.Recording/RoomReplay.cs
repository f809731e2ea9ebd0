using System.Diagnostics;

namespace PlayChat.Recording;

/// <summary>Replays recordings of rooms on the present build.</summary>
public static class RoomReplay
{
    /// <summary>Replays a recording, and compares what the room sends with what it sent then.</summary>
    /// <remarks>
    /// <para>The room runs in a real server without clients and without a clock of its own: its turns get what the recording has, in that
    /// order, at the recorded times. It runs to the end of the recording, also behind a difference.</para>
    /// <para>Give the server services that do nothing: what the recorded room got from services are named jobs of the recording
    /// (<see cref="RoomJob{TRoom, TArgument}"/>), and jobs that services post in the replay are dropped. A session has its id, and a
    /// <see cref="SessionUser"/> with id and name, but no <see cref="Session.Items"/>.</para>
    /// </remarks>
    /// <typeparam name="TRoom">The type of the recorded room.</typeparam>
    /// <param name="path">The file.</param>
    /// <param name="configure">Sets the server up as in your program: its packets and handlers, without endpoints. Default: a room without
    /// packets.</param>
    /// <param name="options">How the recording is replayed.</param>
    /// <param name="cancellationToken">Ends the replay.</param>
    /// <exception cref="RoomReplayException">The file is no readable recording of such a room, the room does not read its state,
    /// a job has no name, or <see cref="RoomReplayOptions{TRoom}.Check"/> has thrown.</exception>
    /// <exception cref="IOException">The file is not readable.</exception>
    public static async Task<RoomReplayResult<TRoom>>
        RunAsync<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.All)] TRoom>(
            string path,
            Action<PlayChatServer>? configure = null,
            RoomReplayOptions<TRoom>? options = null,
            CancellationToken cancellationToken = default)
        where TRoom : Room
    {
        ArgumentNullException.ThrowIfNull(path);
        long start = Stopwatch.GetTimestamp();
        try
        {
            using FileStream stream = RecordingFile.Open(path);
            using var file = new RecordingFile(stream);
            if (!file.Header.IsOf(typeof(TRoom)))
            {
                throw new RoomReplayException(
                    $"The recording is one of a {file.Header.RoomType}, and is to be replayed as a {typeof(TRoom).FullName}.");
            }

            var clock = new ReplayClock(file.Header.StartedAt);
            var server = new PlayChatServer();
            await using (server.ConfigureAwait(false))
            {
                configure ??= static server => server.OnFrame(static (_, _) => { });
                configure(server);
                // It records nothing: the rooms have a clock and random numbers that the replay sets.
                server.UseTime(clock).UseRecording(new RoomRecordings()).Host();
                await server.StartAsync(cancellationToken).ConfigureAwait(false);
                var room = new ReplayedRoom<TRoom>(file, clock, server.Started!, options ?? new RoomReplayOptions<TRoom>());
                try
                {
                    return room.Run(cancellationToken) with { Elapsed = Stopwatch.GetElapsedTime(start) };
                }
                finally
                {
                    server.Rooms.Forget(room.Room);
                }
            }
        }
        catch (InvalidDataException e)
        {
            throw new RoomReplayException(e.Message, e);
        }
    }
}
