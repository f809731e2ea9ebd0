namespace PlayChat.Recording;

/// <summary>How a recording is replayed.</summary>
/// <typeparam name="TRoom">The room.</typeparam>
public sealed record RoomReplayOptions<TRoom>
    where TRoom : Room
{
    /// <summary>Makes the room. Default: its constructor gets the context and the server's services.</summary>
    public Func<RoomContext, TRoom>? Make { get; init; }

    /// <summary>Throws an exception if the room is not as it should be. Called in its turn, at the end of each recorded turn. Default
    /// nothing.</summary>
    public Action<TRoom>? Check { get; init; }

    /// <summary>
    /// Whether the replay leaves out jobs that a recording cannot repeat, which have no <see cref="RoomJob{TRoom, TArgument}"/>: for jobs
    /// that only read the room. Default false: the replay throws.
    /// </summary>
    public bool SkipsUnnamedJobs { get; init; }
}
