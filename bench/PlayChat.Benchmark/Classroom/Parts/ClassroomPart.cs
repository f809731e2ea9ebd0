using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Core.Transport;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Classroom.Parts;

/// <summary>A client process: it makes some of the connections of a classroom, as the process that started it says.</summary>
/// <param name="input">What it is told.</param>
/// <param name="output">What it says.</param>
/// <param name="createTransport">Makes what moves the bytes.</param>
internal sealed class ClassroomPart(TextReader input, TextWriter output, Func<PartOrder, ITransport> createTransport)
{
    private static readonly TimeSpan s_liveInterval = TimeSpan.FromMilliseconds(250);

    private readonly object _gate = new(); // of output, to which several tasks write

    /// <summary>Runs until it has given its figures, or the process that started it has ended.</summary>
    public async Task RunAsync()
    {
        if ((await ReadAsync())?[PartKeys.Order].Deserialize<PartOrder>() is not { } order)
        {
            return;
        }

        ClassroomSettings settings = order.ToSettings();
        await using var scenario = new ClassroomScenario(
            "classroom", settings, new FrameNetwork(settings.Connections, createTransport(order)));
        await ConnectAsync(scenario, new ServerAddress(order.Host, order.Port));
        if ((await ReadAsync())?[PartKeys.Prepare] is not { } times)
        {
            return;
        }

        var clock = new RunClock((long)times["start"]!);
        var window = new MeasureWindow((long)times["from"]!, (long)times["to"]!);
        scenario.Prepare(clock, window);
        Write(PartKeys.Prepare, true);
        if (await ReadAsync() is null)
        {
            return;
        }

        scenario.StartSending();
        using var end = new CancellationTokenSource();
        Task telling = TellAsync(scenario, end.Token);
        Task<ClientFigures> measuring = MeasureAsync(clock, window, end.Token);
        Task stopping = TellSentAsync(scenario);
        SentCounts? all = await ReadEndAsync(window);
        await end.CancelAsync();
        if (all is not null)
        {
            await Task.WhenAll(telling, stopping);
            scenario.KnowAllSent(all);
            Write(PartKeys.Finish, Figures(scenario, await measuring));
        }
    }

    private static JsonObject Figures(ClassroomScenario scenario, ClientFigures client)
    {
        var figures = new JsonObject();
        var outcome = new RunOutcome(client.Seconds, Drained: true, Interrupted: false, [], Server: null) { Client = client };
        scenario.WriteFigures(figures, outcome);
        figures["latency"] = HistogramJson.Write(scenario.Latency);
        figures["lag"] = HistogramJson.Write(scenario.Lag);
        figures["faults"] = new JsonArray(scenario.Faults.Select(static fault => (JsonNode)fault).ToArray());
        figures["client"] = JsonFigures.Client(client);
        return figures;
    }

    private async Task ConnectAsync(ClassroomScenario scenario, ServerAddress server)
    {
        string? problem = null;
        try
        {
            await scenario.ConnectAsync(server, connected => Write(PartKeys.Connected, connected), CancellationToken.None);
        }
        catch (UsageException e)
        {
            problem = e.Message;
        }

        Write(PartKeys.Ready, problem);
    }

    private async Task TellAsync(ClassroomScenario scenario, CancellationToken end)
    {
        using var timer = new PeriodicTimer(s_liveInterval);
        try
        {
            while (await timer.WaitForNextTickAsync(end))
            {
                LiveFigures live = scenario.Read();
                Write(PartKeys.Live, new JsonObject
                {
                    ["sent"] = live.Sent,
                    ["received"] = live.Received,
                    ["faults"] = live.Faults,
                    ["latency"] = HistogramJson.Write(live.Latency),
                });
            }
        }
        catch (OperationCanceledException)
        {
            // The run is over.
        }
    }

    private async Task TellSentAsync(ClassroomScenario scenario)
    {
        await scenario.StopSendingAsync();
        Write(PartKeys.Stopped, JsonSerializer.SerializeToNode(scenario.Sent));
    }

    private static async Task<ClientFigures> MeasureAsync(RunClock clock, MeasureWindow window, CancellationToken end)
    {
        await WaitUntilAsync(() => window.StartNanoseconds);
        var first = ProcessFigures.Read();
        await WaitUntilAsync(() => window.EndNanoseconds);
        return new ClientFigures(first, ProcessFigures.Read(), window.Seconds);

        async Task WaitUntilAsync(Func<long> time)
        {
            while (!end.IsCancellationRequested && time() - clock.Nanoseconds is > 0 and var left)
            {
                // In steps, because an interrupted run ends the window early.
                double milliseconds = Math.Min(left / 1e6, s_liveInterval.TotalMilliseconds);
                await Task.Delay(TimeSpan.FromMilliseconds(milliseconds), CancellationToken.None);
            }
        }
    }

    private async Task<SentCounts?> ReadEndAsync(MeasureWindow window)
    {
        while (await ReadAsync() is { } told)
        {
            if (told[PartKeys.Cut] is { } end)
            {
                window.CutAt((long)end);
            }
            else if (told[PartKeys.Finish] is { } all)
            {
                return all.Deserialize<SentCounts>();
            }
        }

        return null;
    }

    // Null when the process that started this one has ended.
    private async Task<JsonNode?> ReadAsync() => await input.ReadLineAsync() is { } line ? JsonNode.Parse(line) : null;

    private void Write(string key, JsonNode? value)
    {
        string line = new JsonObject { [key] = value }.ToJsonString();
        lock (_gate)
        {
            output.WriteLine(line);
            output.Flush();
        }
    }
}
