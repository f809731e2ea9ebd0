using PlayChat.Benchmark.Fanout;
using PlayChat.Benchmark.Run;

namespace PlayChat.Benchmark.Classroom;

/// <summary>What all connections of the load share.</summary>
internal sealed class ClassroomLoad
{
    private volatile MeasureWindow? _window;

    public ClassroomLoad(ClassroomSettings settings, FaultLog faults)
    {
        Faults = faults;
        Roster = new ChatRoster(settings.Readers, settings.Rooms);
        Texts = new ChatTextCodec(settings.Seed);
        Log = new FanoutLog(Roster, settings.Late);
    }

    public FaultLog Faults { get; }

    public ChatRoster Roster { get; }

    public ChatTextCodec Texts { get; }

    public FanoutLog Log { get; }

    /// <summary>Of the observer, in the measuring.</summary>
    public RoundTrips RoundTrips { get; } = new();

    /// <summary>The observer's index; −1 without an observer.</summary>
    public int Observer { get; init; } = -1;

    /// <summary>Set when the load begins, before the window.</summary>
    public RunClock Clock { get; set; } = null!;

    /// <summary>Set when the load begins.</summary>
    public MeasureWindow? Window
    {
        get => _window;
        set => _window = value;
    }
}
