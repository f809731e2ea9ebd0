using System.Runtime.InteropServices;

namespace PlayChat.Benchmark.Baselines;

/// <summary>What stands at the front of received bytes.</summary>
/// <param name="Bytes">Of whole frames.</param>
/// <param name="Frames">How many these are.</param>
/// <param name="NextBytes">Length of the frame behind them as far as it is known, its header included.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct FrameRun(int Bytes, int Frames, int NextBytes);
