namespace PlayChat.Benchmark.Classroom;

/// <summary>
/// Frames of length(2) + sender(2) + payload, each to every connection of its room: in one room the classroom, in several a broadcast that
/// needs no chat.
/// </summary>
/// <param name="network">Makes the connections. Disposed with the scenario.</param>
internal sealed class ClassroomScenario(string name, FanoutSettings settings, IClassroomNetwork network)
    : FanoutScenario<ClassroomLink>(name, settings, (index, load) => new ClassroomLink(index, load, network))
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

    protected override ValueTask DisposeConnectionsAsync() => network.DisposeAsync();
}
