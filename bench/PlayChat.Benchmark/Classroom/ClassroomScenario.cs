namespace PlayChat.Benchmark.Classroom;

/// <summary>Frames of length(2) + sender(2) + payload to every connection of the room: one room, or a broadcast in several.</summary>
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
                try
                {
                    await Links[index].EnterAsync(server, token);
                    connected(Interlocked.Increment(ref ready));
                }
                catch (UsageException e)
                {
                    problem = e.Message;
                    Load.Faults.Add(problem);
                }
            },
            cancellationToken,
            AtOnce);
        _connectSeconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        UsageException.Unless(ready > 0, problem!);
        foreach (StalledReader reader in Stalled)
        {
            await reader.ConnectAsync(server, cancellationToken);
            connected(++ready);
        }
    }

    public override bool Write(JsonObject report, RunOutcome outcome)
    {
        bool good = base.Write(report, outcome);
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

/// <summary>A connection with frames of length(2) + sender(2) + payload. The server assigns rooms in the order of acceptance.</summary>
internal sealed class FrameLink(int index, FanoutLoad load, PlayChatConnector connector) : ClassroomLink(index, load)
{
    private static readonly SpanAction<byte, FrameLink> s_write = static (destination, link) => link.Write(destination);

    private readonly FrameHeader _header = new(SenderId: (ushort)index);
    private FrameScratch _scratch;
    private Connection? _connection;

    /// <summary>Makes what connects all of them, and ends them.</summary>
    public static PlayChatConnector CreateConnector(int connections, ITransport? transport) => new(
        FrameFormat.SenderPrefixed(),
        static (connection, frame) => connection.Get<FrameLink>()!.OnFrame(frame),
        ConnectionCrowd.CreateOptions(connections),
        static (connection, reason) => connection.Get<FrameLink>()!.OnClosed(reason.ToString()),
        transport);

    protected override async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken) =>
        _connection = await ConnectionCrowd.ConnectAsync(connector, server, this, cancellationToken);

    protected override bool Send(int bytes) => _connection!.Send(_header, bytes, this, s_write);

    private void OnFrame(Frame frame) => OnMessage(_scratch.Read(frame), frame.Header.SenderId);
}
