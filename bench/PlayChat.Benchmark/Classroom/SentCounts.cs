namespace PlayChat.Benchmark.Classroom;

/// <summary>How many messages each connection has sent, by its index.</summary>
/// <param name="Sent">In all phases.</param>
/// <param name="Measured">Those that were planned while it was measured.</param>
internal sealed record SentCounts(int[] Sent, int[] Measured);
