using PlayChat.Kpi;

namespace PlayChat.Chat.Accounts;

/// <summary>Adds the figures of logins to those of the server.</summary>
internal sealed class LoginFigures(KpiExtras extras, AccountLogin logins, PlayerLimits limits) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        extras.Add("logins pending", "logins", () => logins.Pending);
        extras.Add("logins refused", "logins", () => logins.Refused, isTotal: true);
        extras.Add("requests limited", "requests", () => limits.Refused, isTotal: true);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
