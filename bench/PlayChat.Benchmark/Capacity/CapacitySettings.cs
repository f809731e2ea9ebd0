using PlayChat.Benchmark.Chat;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Capacity;

/// <summary>What a search is.</summary>
/// <param name="Chat">The load; its rate is the first.</param>
/// <param name="Step">How long each step takes.</param>
/// <param name="Limit">The longest p99 with which a step holds.</param>
/// <param name="Precision">How close the search goes: 0.1 is a tenth.</param>
/// <param name="MaxSteps">The most steps that are run.</param>
internal sealed record CapacitySettings(ChatSettings Chat, RunPlan Step, TimeSpan Limit, double Precision, int MaxSteps);
