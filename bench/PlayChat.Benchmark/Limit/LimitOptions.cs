namespace PlayChat.Benchmark.Limit;

/// <summary>What is measured, and how long.</summary>
/// <param name="Servers">Those of <see cref="LimitScenarios.OwnServers"/> that take part.</param>
/// <param name="Rounds">Each runs C and every server once.</param>
internal sealed record LimitOptions(
    IReadOnlyList<LimitScenario> Scenarios, IReadOnlyList<string> Servers, int Rounds, double Warmup, double Duration, string Server);
