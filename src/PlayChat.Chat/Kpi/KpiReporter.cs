using PlayChat.Kpi;

namespace PlayChat.Chat.Kpi;

/// <summary>Takes the server's figures each interval: as a table on the console, as JSON in a file, and a summary at the end.</summary>
/// <remarks>It begins when everything has started and ends when everything has stopped, so the last figures are complete.</remarks>
internal sealed class KpiReporter(
    PlayChatServer server,
    KpiExtras extras,
    ServerSettings settings,
    FloodFilter flood,
    TextWriter console,
    TimeProvider time,
    ILogger<KpiReporter> logger)
    : IHostedLifecycleService, IDisposable
{
    private const int RowsPerHeader = 10;

    private PeriodicTimer? _timer; // from StartedAsync on, like the next
    private KpiCollector? _collector;
    private StreamWriter? _json;
    private KpiSnapshot? _first;
    private KpiSnapshot? _latest;
    private Task _running = Task.CompletedTask;
    private bool _isConsoleLost;
    private int _rows;

    /// <summary>Opens the file, before anything listens.</summary>
    /// <exception cref="StartException">The file is not writable.</exception>
    public Task StartingAsync(CancellationToken cancellationToken)
    {
        _json = OpenFile(settings.Kpi.JsonFile);
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken)
    {
        extras.Add("log dropped", "lines", static () => LogQueueMonitor.Instance.Dropped, isTotal: true);
        extras.Add("log left out", "lines", () => flood.LeftOut, isTotal: true);
        _collector = new KpiCollector(server.Metrics, extras);
        _first = _latest = _collector.Snapshot();
        Write(KpiJson.Format(_first));
        _timer = new PeriodicTimer(settings.Kpi.Interval, time);
        _running = RunAsync(_timer);
        return Task.CompletedTask;
    }

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        _timer?.Dispose();
        await _running;
        if (_first is null)
        {
            return; // the start failed, or all is told already
        }

        KpiSnapshot first = _first;
        _first = null;
        Report(hasTable: false);
        if (HasTable)
        {
            Print(KpiTable.FormatSummary(KpiInterval.Between(first, _latest!)));
        }
    }

    public void Dispose()
    {
        _timer?.Dispose();
        _json?.Dispose();
    }

    // With JSON every line of the console is an object. The figures are in Kpi:JsonFile, or in the metrics.
    private bool HasTable => settings.Kpi.Table && settings.Log.Format == LogFormat.Text;

    /// <summary>Opens or creates a file, and its folder. A line is in it when its write returns, so other programs can follow it.</summary>
    private static StreamWriter? OpenFile(string path)
    {
        if (path.Length == 0)
        {
            return null;
        }

        try
        {
            string full = Path.GetFullPath(path);
            Directory.CreateDirectory(Path.GetDirectoryName(full)!);
            var stream = new FileStream(full, FileMode.Append, FileAccess.Write, FileShare.Read | FileShare.Delete);
            return new StreamWriter(stream) { AutoFlush = true, NewLine = "\n" };
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new StartException($"Kpi:JsonFile is '{path}'; writing this file failed: {e.Message}", e);
        }
    }

    private static bool IsBusy(KpiInterval interval) =>
        interval.FramesReceivedPerSecond > 0
        || interval.FramesSentPerSecond > 0
        || interval.Later.Connections != interval.Earlier.Connections;

    private string FormatHeader(KpiInterval interval)
    {
        if (settings.Kpi.FullTable)
        {
            return KpiTable.FormatHeader(interval);
        }

        string legend = _rows > 0 ? "" : KpiShortTable.Legend + "\nAll figures: --Kpi:FullTable=true\n";
        return legend + KpiShortTable.FormatHeader();
    }

    private async Task RunAsync(PeriodicTimer timer)
    {
        while (await timer.WaitForNextTickAsync()) // until the timer is disposed
        {
            try
            {
                Report(HasTable);
            }
            catch (Exception e)
            {
                // Of any kind: one reading of the system that fails must not end the figures.
                ServerLog.IntervalNotTaken(logger, e);
            }
        }
    }

    private void Report(bool hasTable)
    {
        KpiSnapshot now = _collector!.Snapshot();
        KpiInterval interval = KpiInterval.Between(_latest!, now);
        _latest = now;
        Write(KpiJson.Format(interval));
        if (hasTable && IsBusy(interval))
        {
            // One write: lines of the log do not get in between.
            string header = _rows % RowsPerHeader == 0 ? FormatHeader(interval) + Environment.NewLine : "";
            Print(header + (settings.Kpi.FullTable ? KpiTable.FormatRow(interval) : KpiShortTable.FormatRow(interval)));
            _rows++;
        }
    }

    // A terminal that was closed, or a full disk behind a redirect, must not take the figures from the file, nor a clean stop its end.
    private void Print(string text)
    {
        if (_isConsoleLost)
        {
            return;
        }

        try
        {
            console.WriteLine(text);
            console.Flush();
        }
        catch (IOException e)
        {
            ServerLog.KpiConsoleFailed(logger, e.Message);
            _isConsoleLost = true;
        }
    }

    // A full disk must not take the figures from the console, nor the server from its players.
    private void Write(string line)
    {
        try
        {
            _json?.WriteLine(line);
        }
        catch (IOException e)
        {
            ServerLog.KpiFileFailed(logger, Path.GetFullPath(settings.Kpi.JsonFile), e.Message);
            _json = null;
        }
    }
}
