using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.ClassroomBroadcast;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>classroom-broadcast</c>.</summary>
internal sealed class ClassroomBroadcastCommand() : ExperimentCommand(
    ClassroomBroadcastExperiment.Name,
    "Experiment: every message to every connection, by number of threads and beside other servers; "
    + "many connects at one instant; readers that stop reading.")
{

    private readonly Option<int[]> _workers =
        Numbers("--workers", "Numbers of worker threads, each with each number of client processes (1 5 10 20 30).", "N…");

    private readonly Option<int[]> _processes = Numbers("--processes", "Numbers of client processes (4 5 10 14).", "P…");

    private readonly Option<int?> _connections = new("--connections") { Description = "Connections of each process (50).", HelpName = "C" };
    private readonly Option<int?> _size = new("--size")
    {
        Description = "Bytes of a whole message: length, sender and payload (104).",
        HelpName = "BYTES",
    };
    private readonly Option<double?> _rps = new("--rps") { Description = "Messages per second of each connection (1).", HelpName = "N" };
    private readonly Option<int?> _burst = new("--burst")
    {
        Description = "Connections made at one instant (1000).",
        HelpName = "N",
    };
    private readonly Option<int?> _stalled = new("--stalled-readers")
    {
        Description = "Connections that stop reading (5).",
        HelpName = "K",
    };
    private readonly Option<double?> _warmup = Seconds("--warmup", "Seconds before the measuring.");
    private readonly Option<double?> _duration = Seconds("--duration", "Seconds of it.");

    /// <inheritdoc/>
    protected override IReadOnlyList<Option> Options =>
        [_workers, _processes, _connections, _size, _rps, _burst, _stalled, _warmup, _duration];

    /// <inheritdoc/>
    protected override Experiment Read(ParseResult result, bool quick, ExperimentSettings settings)
    {
        ClassroomBroadcastParameters preset = quick ? ClassroomBroadcastParameters.Quick : ClassroomBroadcastParameters.Full;
        int[] workers = result.GetValue(_workers)!;
        int[] processes = result.GetValue(_processes)!;
        ClassroomBroadcastParameters parameters = preset with
        {
            Pools = workers.Length + processes.Length == 0 ? preset.Pools :
            [
                .. from worker in workers.Length > 0 ? workers : preset.Pools.Select(static pool => pool.Workers).Distinct()
                   from process in processes.Length > 0 ? processes : preset.Pools.Select(static pool => pool.Processes).Distinct()
                   select (worker, process),
            ],
            Processes = processes.Length == 0 ? preset.Processes : processes,
            Connections = result.GetValue(_connections) ?? preset.Connections,
            Bytes = result.GetValue(_size) ?? preset.Bytes,
            MessagesPerSecond = result.GetValue(_rps) ?? preset.MessagesPerSecond,
            Burst = result.GetValue(_burst) ?? preset.Burst,
            StalledReaders = result.GetValue(_stalled) ?? preset.StalledReaders,
            Warmup = result.GetValue(_warmup) ?? preset.Warmup,
            Duration = result.GetValue(_duration) ?? preset.Duration,
        };
        LoadOptions.Require(parameters.Connections >= 1, "--connections", parameters.Connections, "1 or more");
        LoadOptions.Require(
            parameters.Burst >= parameters.Connections,
            "--burst",
            parameters.Burst,
            $"{parameters.Connections} (the connections of a process) or more");
        return ClassroomBroadcastExperiment.Create(parameters, settings);
    }
}
