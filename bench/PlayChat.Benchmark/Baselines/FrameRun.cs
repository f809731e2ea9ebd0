namespace PlayChat.Benchmark.Baselines;

/// <summary>What stands at the front of received bytes.</summary>
/// <param name="Bytes">Of whole frames.</param>
/// <param name="Frames">How many these are.</param>
internal readonly record struct FrameRun(int Bytes, int Frames);
