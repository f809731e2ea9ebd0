namespace PlayChat.Benchmark.Fanout;

/// <summary>One part of a mix.</summary>
/// <param name="MinBytes">The shortest text.</param>
/// <param name="MaxBytes">The longest text.</param>
/// <param name="Weight">How often, in relation to the other parts' weights.</param>
internal readonly record struct PayloadClass(int MinBytes, int MaxBytes, double Weight);
