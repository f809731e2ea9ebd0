using PlayChat.Benchmark.Classroom;
using PlayChat.Benchmark.Echo;

namespace PlayChat.Benchmark.Cli;

/// <summary>How the load speaks to a baseline that has a protocol of its own. A part is null where the baseline has no such mode.</summary>
/// <param name="CreateNetwork">Makes the connections of broadcast and classroom.</param>
/// <param name="CreateEcho">Makes the connections of echo with awaited requests.</param>
internal sealed record LoadClient(Func<IClassroomNetwork>? CreateNetwork, Func<IEchoNetwork>? CreateEcho);
