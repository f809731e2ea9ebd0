namespace PlayChat.Benchmark.Experiments;

/// <summary>Which way a figure is better.</summary>
internal enum Better
{
    Higher,
    Lower,
}
