using Microsoft.Extensions.Hosting;
using PlayChat.Kpi;
using PlayChat.Storage.Passwords;

namespace PlayChat.Server.Accounts;

/// <summary>Adds the figures of logins to those of the server.</summary>
internal sealed class LoginFigures(KpiExtras extras, AccountLogin logins, PasswordVerifier passwords) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        extras.Add("logins pending", "logins", () => passwords.Pending);
        extras.Add("logins refused", "logins", () => logins.Refused, isTotal: true);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
