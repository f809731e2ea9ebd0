namespace PlayChat.Benchmark.Limit;

/// <summary>A group of scenarios.</summary>
/// <param name="Servers">The servers that its scenarios run, in this order.</param>
/// <param name="Columns">The expressions of its tables (<see cref="LimitRow.Value"/>).</param>
internal sealed record LimitPart(string Name, string About, string Servers, string Columns);
