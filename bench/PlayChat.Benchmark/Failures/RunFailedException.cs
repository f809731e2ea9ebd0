namespace PlayChat.Benchmark.Failures;

/// <summary>The run failed: the server did not start, or refused. The message is one line.</summary>
internal sealed class RunFailedException(string message) : Exception(message);
