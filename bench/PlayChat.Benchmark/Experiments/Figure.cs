namespace PlayChat.Benchmark.Experiments;

/// <summary>One figure of an experiment.</summary>
/// <param name="Key">Its name in results.json: lower case, with its unit (<c>p99_us</c>).</param>
/// <param name="Title">For a table's head.</param>
/// <param name="Unit">As a person reads it; empty for a count.</param>
/// <param name="Path">Where it stands in a run's report: keys divided by dots, <c>rtt_us.p99</c>.</param>
/// <param name="Better">Which way is better.</param>
internal sealed record Figure(string Key, string Title, string Unit, string Path, Better Better);
