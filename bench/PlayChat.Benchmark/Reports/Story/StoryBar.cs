using PlayChat.Benchmark.Experiments;

namespace PlayChat.Benchmark.Reports.Story;

/// <summary>A bar of a <see cref="StoryChart"/>.</summary>
/// <param name="Name">The server, and what differs from the other bars.</param>
/// <param name="Range">The value over the rounds, in the chart's unit.</param>
/// <param name="Published">Whether others published the value, for another machine.</param>
/// <param name="Valid">Whether at least one round was good. The values of other bars are marked.</param>
internal sealed record StoryBar(string Name, FigureRange Range, bool Published, bool Valid);
