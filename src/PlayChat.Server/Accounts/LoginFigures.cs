using Microsoft.Extensions.Hosting;
using PlayChat.Core.Hosting;
using PlayChat.Storage.Passwords;

namespace PlayChat.Server.Accounts;

/// <summary>Adds what the logins do to the server's figures.</summary>
internal sealed class LoginFigures(PlayChatServer server, AccountLogin logins, PasswordVerifier passwords) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        server.OnStarting(starting =>
        {
            starting.Metrics.AddExtra("logins pending", "logins", () => passwords.Pending);
            starting.Metrics.AddExtra("logins refused", "logins", () => logins.Refused, isTotal: true);
        });
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
