namespace PlayChat.Benchmark.Classroom.Parts;

/// <summary>
/// What a client process and the process that started it say to each other: lines of JSON, each an object with one of these keys.
/// </summary>
internal static class PartKeys
{
    /// <summary>To the client process: connect, as the <see cref="PartOrder"/> says.</summary>
    public const string Order = "order";

    /// <summary>From it: connections that are served so far.</summary>
    public const string Connected = "connected";

    /// <summary>From it: all have connected; <see langword="null"/>, or why none has.</summary>
    public const string Ready = "ready";

    /// <summary>To it: the clock and the window. From it: messages of others may come.</summary>
    public const string Prepare = "prepare";

    /// <summary>To it: send.</summary>
    public const string Start = "start";

    /// <summary>From it, several times a second: what it has sent and received.</summary>
    public const string Live = "live";

    /// <summary>To it: the end of the window, which is earlier than planned.</summary>
    public const string Cut = "cut";

    /// <summary>From it: what each of its connections has sent, after the last message.</summary>
    public const string Stopped = "stopped";

    /// <summary>To it: what the connections of all processes have sent. From it: its figures.</summary>
    public const string Finish = "finish";
}
