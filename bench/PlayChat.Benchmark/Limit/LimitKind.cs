namespace PlayChat.Benchmark.Limit;

/// <summary>
/// How a run is made: a load drives the server, the server only starts, strace counts its system calls under the load, or its own figures
/// count its collections under the load.
/// </summary>
internal enum LimitKind
{
    Load,
    Start,
    SystemCalls,
    Collections,
}
