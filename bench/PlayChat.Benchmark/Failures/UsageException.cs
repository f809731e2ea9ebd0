namespace PlayChat.Benchmark.Failures;

/// <summary>The arguments are invalid, or the machine does not allow the run. The message is one line that says what to do.</summary>
internal sealed class UsageException(string message) : Exception(message);
