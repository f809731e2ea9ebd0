namespace PlayChat.Benchmark.Limit;

/// <summary>What is measured, and how long.</summary>
/// <param name="Scenarios">In the order of their parts.</param>
/// <param name="Servers">Those of <see cref="LimitScenarios.OwnServers"/> that take part.</param>
/// <param name="Rounds">Each runs C and every server once.</param>
/// <param name="Warmup">Seconds before those that count.</param>
/// <param name="Duration">Seconds that count.</param>
/// <param name="Server">The server's program.</param>
internal sealed record LimitOptions(
    IReadOnlyList<LimitScenario> Scenarios, IReadOnlyList<string> Servers, int Rounds, double Warmup, double Duration, string Server);
