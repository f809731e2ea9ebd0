namespace PlayChat.Benchmark.Classroom;

/// <summary>
/// Frames of length(2) + sender(2) + payload, each to every connection of its room: in one room the classroom, in several a broadcast that
/// needs no chat.
/// </summary>
/// <param name="connector">What ends the connections, where they do not end themselves. Disposed with the scenario.</param>
internal sealed class ClassroomScenario(
    string name, FanoutSettings settings, Func<int, FanoutLoad, ClassroomLink> create, IAsyncDisposable? connector = null)
    : FanoutScenario<ClassroomLink>(name, settings, create)
{
    private double _connectSeconds;

    // One after the other where there are rooms: the server deals them out in the order of acceptance.
    private int AtOnce => Settings.Rooms > 1 ? 1 : Settings.ConnectAtOnce;

    public override async Task ConnectAsync(ServerAddress server, Action<int> connected, CancellationToken cancellationToken)
    {
        long began = Stopwatch.GetTimestamp();
        int ready = 0;
        string? problem = null;
        await ConnectionCrowd.ForEachAsync(
            Links.Length,
            async (index, token) =>
            {
                if (await Links[index].EnterAsync(server, token) is { } why)
                {
                    problem = why;
                    Load.Faults.Add(why);
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

        foreach (StalledReader reader in Stalled)
        {
            await reader.ConnectAsync(server, cancellationToken);
            connected(++ready);
        }
    }

    public override bool WriteFigures(JsonObject report, RunOutcome outcome)
    {
        bool good = base.WriteFigures(report, outcome);
        int served = Links.Count(static link => link.IsThere);
        report["connecting"] = new JsonObject
        {
            ["asked"] = Links.Length,
            ["at_once"] = AtOnce,
            ["served"] = served,
            ["failed"] = Links.Length - served,
            ["seconds"] = JsonFigures.Round(_connectSeconds),
        };
        report["observer"] = Settings.HasObserver ? Load.RoundTrips.ToJson() : null;
        report["stalled"] = StalledFigures();
        return good;
    }

    protected override async ValueTask DisposeConnectionsAsync()
    {
        await (connector?.DisposeAsync() ?? ValueTask.CompletedTask);
        foreach (ClassroomLink link in Links)
        {
            await link.CloseAsync();
        }
    }
}
