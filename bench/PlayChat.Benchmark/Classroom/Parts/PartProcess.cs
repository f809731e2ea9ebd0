using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Figures;
using PlayChat.Benchmark.Run;
using PlayChat.Benchmark.Servers;
using PlayChat.Kpi;

namespace PlayChat.Benchmark.Classroom.Parts;

/// <summary>A client process, seen from the process that started it.</summary>
internal sealed class PartProcess : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly Process _process;
    private readonly PartOrder _order;
    private readonly Action<int> _connected;
    private readonly Task _reading;
    private readonly TaskCompletionSource<JsonNode?> _ready = New();
    private readonly TaskCompletionSource<JsonNode?> _prepared = New();
    private readonly TaskCompletionSource<JsonNode?> _stopped = New();
    private readonly TaskCompletionSource<JsonNode?> _finished = New();
    private volatile string? _lastWords;
    private volatile LiveFigures _live = new(0, 0, 0, new LatencyHistogram());

    private PartProcess(Process process, PartOrder order, Action<int> connected)
    {
        _process = process;
        _order = order;
        _connected = connected;
        _reading = ReadAsync();
    }

    /// <summary>What the process has sent and received, as it said last.</summary>
    public LiveFigures Live => _live;

    /// <summary>Completes after its last message, with what each of its connections has sent.</summary>
    /// <exception cref="RunFailedException">The process has ended.</exception>
    public Task<SentCounts> Stopped => ReadStoppedAsync();

    /// <summary>Starts the process, which then connects.</summary>
    /// <param name="order">What it does.</param>
    /// <param name="connected">Called with the number of its connections that are served.</param>
    public static PartProcess Start(PartOrder order, Action<int> connected)
    {
        string[] command = [.. OwnProgram.Command, OwnProgram.PartCommand];
        var start = new ProcessStartInfo(command[0], command[1..])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        var part = new PartProcess(Process.Start(start)!, order, connected);
        part.Tell(PartKeys.Order, JsonSerializer.SerializeToNode(order));
        return part;
    }

    /// <summary>Waits until its connections are made.</summary>
    /// <returns>Why none was served; <see langword="null"/> otherwise.</returns>
    /// <exception cref="RunFailedException">The process has ended.</exception>
    public async Task<string?> WaitReadyAsync(CancellationToken cancellationToken) =>
        (string?)await _ready.Task.WaitAsync(cancellationToken);

    /// <summary>Makes it ready for messages of others.</summary>
    /// <exception cref="RunFailedException">The process has ended.</exception>
    public Task PrepareAsync(RunClock clock, MeasureWindow window)
    {
        Tell(PartKeys.Prepare, new JsonObject
        {
            ["start"] = clock.StartTimestamp,
            ["from"] = window.StartNanoseconds,
            ["to"] = window.EndNanoseconds,
        });
        return _prepared.Task;
    }

    /// <summary>Lets it send.</summary>
    public void StartSending() => Tell(PartKeys.Start, true);

    /// <summary>Ends the window early.</summary>
    public void Cut(long nanoseconds) => Tell(PartKeys.Cut, nanoseconds);

    /// <summary>Asks for its figures.</summary>
    /// <param name="all">What the connections of all processes have sent.</param>
    /// <exception cref="RunFailedException">The process has ended.</exception>
    public async Task<JsonObject> FinishAsync(SentCounts all)
    {
        Tell(PartKeys.Finish, JsonSerializer.SerializeToNode(all));
        return (await _finished.Task)!.AsObject();
    }

    /// <summary>Ends the process.</summary>
    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close(); // it then ends by itself
        using var patience = new CancellationTokenSource(s_patience);
        try
        {
            await _process.WaitForExitAsync(patience.Token);
        }
        catch (OperationCanceledException)
        {
            _process.Kill();
        }

        await _reading;
        _process.Dispose();
    }

    private static TaskCompletionSource<JsonNode?> New() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private async Task<SentCounts> ReadStoppedAsync() => (await _stopped.Task).Deserialize<SentCounts>()!;

    // A process that has ended does not read what it is told. The tasks that wait for its answers fail when ReadAsync sees its end.
    private void Tell(string key, JsonNode? value)
    {
        try
        {
            _process.StandardInput.WriteLine(new JsonObject { [key] = value }.ToJsonString());
            _process.StandardInput.Flush();
        }
        catch (IOException)
        {
            _lastWords ??= "it does not read what it is told.";
        }
    }

    private async Task ReadAsync()
    {
        Task<string> errors = _process.StandardError.ReadToEndAsync();
        while (await _process.StandardOutput.ReadLineAsync() is { } line)
        {
            try
            {
                OnLine(JsonNode.Parse(line)!.AsObject());
            }
            catch (JsonException)
            {
                _lastWords = line;
            }
        }

        string said = (await errors).Trim();
        var end = new RunFailedException(
            $"The client process of connection {_order.First} ended early: {(said.Length > 0 ? said : _lastWords ?? "it wrote nothing.")}");
        foreach (TaskCompletionSource<JsonNode?> answer in (TaskCompletionSource<JsonNode?>[])[_ready, _prepared, _stopped, _finished])
        {
            answer.TrySetException(end);
            _ = answer.Task.Exception; // observed, also where nothing waits for it
        }
    }

    private void OnLine(JsonObject line)
    {
        (string key, JsonNode? value) = line.First();
        line.Remove(key);
        switch (key)
        {
            case PartKeys.Connected:
                _connected((int)value!);
                break;
            case PartKeys.Ready:
                _ready.TrySetResult(value);
                break;
            case PartKeys.Prepare:
                _prepared.TrySetResult(value);
                break;
            case PartKeys.Live:
                _live = new LiveFigures(
                    (long)value!["sent"]!, (long)value["received"]!, (long)value["faults"]!, HistogramJson.Read(value["latency"]!));
                break;
            case PartKeys.Stopped:
                _stopped.TrySetResult(value);
                break;
            case PartKeys.Finish:
                _finished.TrySetResult(value);
                break;
        }
    }
}
