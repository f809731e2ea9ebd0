namespace PlayChat.Benchmark.Classroom;

/// <summary>
/// Frames of length(2) + sender(2) + payload, each to every connection of its room: in one room the classroom, in several a broadcast that
/// needs no chat.
/// </summary>
internal sealed class ClassroomScenario : IScenario
{
    private readonly FanoutSettings _settings;
    private readonly FaultLog _faults = new();
    private readonly FanoutCrowd<ClassroomLink> _crowd;
    private readonly StalledReader[] _stalled;
    private readonly IClassroomNetwork _network;
    private double _connectSeconds;

    /// <param name="network">Makes the connections. Disposed with the scenario.</param>
    public ClassroomScenario(string name, FanoutSettings settings, IClassroomNetwork network)
    {
        Name = name;
        _settings = settings;
        _crowd = new FanoutCrowd<ClassroomLink>(settings, _faults, (index, load) => new ClassroomLink(index, load, network));
        _stalled = Enumerable.Range(0, settings.Stalled).Select(static _ => new StalledReader()).ToArray();
        _network = network;
    }

    public string Name { get; }

    // The plan has no end of its own.
    public Task Finished { get; } = new TaskCompletionSource().Task;

    public IReadOnlyList<string> Faults => _crowd.Faults;

    // One after the other where there are rooms: the server deals them out in the order of acceptance.
    private int AtOnce => _settings.Rooms > 1 ? 1 : _settings.ConnectAtOnce;

    public async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        long began = Stopwatch.GetTimestamp();
        int ready = 0;
        string? problem = null;
        await ConnectionCrowd.ForEachAsync(
            _crowd.Links.Length,
            async (index, token) =>
            {
                if (await _crowd.Links[index].EnterAsync(server, token) is { } why)
                {
                    problem = why;
                    _faults.Add(why);
                }
                else
                {
                    connected(Interlocked.Increment(ref ready));
                }
            },
            cancellationToken,
            AtOnce);
        _connectSeconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        if (ready == 0)
        {
            throw new UsageException(problem!);
        }

        foreach (StalledReader reader in _stalled)
        {
            await reader.ConnectAsync(server, cancellationToken);
            connected(++ready);
        }
    }

    public void Start(RunClock clock, MeasureWindow window) => _crowd.Start(clock, window);

    public async Task<bool> DrainAsync(TimeSpan timeout)
    {
        await _crowd.Stopped;
        bool drained = await Drain.WaitAsync(() => _crowd.HasAll, timeout);
        await Drain.WaitForResetsAsync(() => Array.TrueForAll(_stalled, static reader => reader.IsReset));
        return drained;
    }

    public LiveFigures Read() => _crowd.Read();

    public void WriteSettings(JsonObject report) => _settings.Write(report);

    public bool WriteFigures(JsonObject report, RunOutcome outcome)
    {
        bool good = _crowd.WriteFigures(report, outcome);
        int served = _crowd.Links.Count(static link => link.IsThere);
        report["connecting"] = new JsonObject
        {
            ["asked"] = _crowd.Links.Length,
            ["at_once"] = AtOnce,
            ["served"] = served,
            ["failed"] = _crowd.Links.Length - served,
            ["seconds"] = JsonFigures.Round(_connectSeconds),
        };
        report["observer"] = _settings.HasObserver ? _crowd.Load.RoundTrips.ToJson() : null;
        report["stalled"] = _stalled.Length == 0 ? null : new JsonObject
        {
            ["clients"] = _stalled.Length,
            ["reset"] = _stalled.Count(static reader => reader.IsReset),
        };
        return good;
    }

    public async ValueTask DisposeAsync()
    {
        _faults.Close();
        await _network.DisposeAsync();
        Array.ForEach(_stalled, static reader => reader.Dispose());
    }
}
