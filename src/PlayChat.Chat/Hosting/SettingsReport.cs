namespace PlayChat.Chat.Hosting;

/// <summary>Logs at start which settings differ from the defaults, so that a log says how its server was configured.</summary>
internal sealed class SettingsReport(LiveConfiguration live, ILogger<SettingsReport> logger) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        IReadOnlyList<string> settings = SettingsSummary.Of(live.Current);
        ServerLog.Starting(logger, $"PlayChat {ServerVersion.Build}", settings.Count == 0 ? "none" : string.Join(", ", settings));
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
