namespace PlayChat.Benchmark.Run;

/// <summary>The run could not take place although it was asked for rightly: the server did not start, or refused. One line; the exit code is 1.</summary>
internal sealed class RunFailedException(string message) : Exception(message);
