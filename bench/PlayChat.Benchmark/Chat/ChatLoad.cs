using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Chat;

/// <summary>What all clients of a chat run share.</summary>
internal sealed class ChatLoad(ChatSettings settings, FaultLog faults)
{
    private volatile MeasureWindow? _window;

    public ChatRoster Roster { get; } = new(settings.Clients, settings.Rooms);

    public ChatTextCodec Texts { get; } = new(settings.Seed);

    public FaultLog Faults { get; } = faults;

    /// <summary>Set when the load begins, before the window.</summary>
    public RunClock Clock { get; set; } = null!;

    /// <summary>Set when the load begins.</summary>
    public MeasureWindow? Window
    {
        get => _window;
        set => _window = value;
    }
}
