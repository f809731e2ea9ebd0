using System.CommandLine;
using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.ChatFanout;
using PlayChat.Benchmark.Fanout;

namespace PlayChat.Benchmark.Cli;

/// <summary>The command <c>chat-fanout</c>.</summary>
internal sealed class ChatFanoutCommand() : ExperimentCommand(
    ChatFanoutExperiment.Name, "Experiment: chat in rooms, its capacity, and the same load without chat beside other servers.")
{
    private static readonly ChatFanoutParameters s_full = ChatFanoutParameters.Full;

    private readonly Option<int?> _clients = new("--clients") { Description = $"Players ({s_full.Clients}).", HelpName = "N" };
    private readonly Option<int?> _rooms = new("--rooms") { Description = $"Rooms ({s_full.Rooms}).", HelpName = "N" };
    private readonly Option<double?> _rps = new("--rps")
    {
        Description = $"Messages per second of each player ({s_full.MessagesPerSecond}).",
        HelpName = "N",
    };
    private readonly Option<string?> _mix = new("--mix")
    {
        Description = $"Sizes of the texts: BYTES:WEIGHT or MIN-MAX:WEIGHT, separated by commas ({s_full.Mix}).",
        HelpName = "MIX",
    };
    private readonly Option<string?> _late = new("--late")
    {
        Description = $"A delivery is late when it arrives later than this after its planned time ({s_full.Late}).",
        HelpName = "TIME",
    };
    private readonly Option<string?> _limit = new("--p99-limit")
    {
        Description = $"The longest p99 with which a step of the capacity search holds ({s_full.P99Limit}).",
        HelpName = "TIME",
    };
    private readonly Option<int?> _stalled = new("--stalled-readers")
    {
        Description = $"Players that do not read, in a case of their own ({s_full.StalledReaders}).",
        HelpName = "K",
    };
    private readonly Option<double?> _warmup = Seconds("--warmup", "Seconds before the measuring.");
    private readonly Option<double?> _duration = Seconds("--duration", "Seconds of it.");
    private readonly Option<double?> _step =
        Seconds("--step-duration", "Seconds of a step of the capacity search, and of the same load without chat.");

    /// <inheritdoc/>
    protected override IReadOnlyList<Option> Options => [_clients, _rooms, _rps, _mix, _late, _limit, _stalled, _warmup, _duration, _step];

    /// <inheritdoc/>
    protected override Experiment Read(ParseResult result, bool quick, ExperimentSettings settings)
    {
        ChatFanoutParameters preset = quick ? ChatFanoutParameters.Quick : s_full;
        ChatFanoutParameters parameters = preset with
        {
            Clients = result.GetValue(_clients) ?? preset.Clients,
            Rooms = result.GetValue(_rooms) ?? preset.Rooms,
            MessagesPerSecond = result.GetValue(_rps) ?? preset.MessagesPerSecond,
            Mix = result.GetValue(_mix) ?? preset.Mix,
            Late = TimeText.Check(result.GetValue(_late) ?? preset.Late, _late.Name),
            P99Limit = TimeText.Check(result.GetValue(_limit) ?? preset.P99Limit, _limit.Name),
            StalledReaders = result.GetValue(_stalled) ?? preset.StalledReaders,
            Warmup = result.GetValue(_warmup) ?? preset.Warmup,
            Duration = result.GetValue(_duration) ?? preset.Duration,
            BroadcastDuration = result.GetValue(_step) ?? preset.BroadcastDuration,
            StepDuration = result.GetValue(_step) ?? preset.StepDuration,
        };
        PayloadMix.Parse(parameters.Mix); // says no to what is none
        return ChatFanoutExperiment.Create(parameters, settings);
    }
}
