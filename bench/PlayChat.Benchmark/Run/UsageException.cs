namespace PlayChat.Benchmark.Run;

/// <summary>The run cannot be as asked for. Its message is one line that says what to do; the exit code is 2.</summary>
internal sealed class UsageException(string message) : Exception(message);
