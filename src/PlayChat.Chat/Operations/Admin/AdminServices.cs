using Microsoft.Extensions.DependencyInjection;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Adds the admin API to the services of a server that has an operations endpoint.</summary>
internal static class AdminServices
{
    public static IServiceCollection AddAdmin(this IServiceCollection services) => services
        .AddSingleton(static provider =>
        {
            var server = provider.GetRequiredService<PlayChatServer>();
            var closes = new CloseHistory(server, provider.GetRequiredService<TimeProvider>());
            server.OnDisconnected(closes.Add); // the endpoint starts before the server, so every end is seen
            return closes;
        })
        .AddSingleton<FigureHistory>()
        .AddHostedService(static provider => provider.GetRequiredService<FigureHistory>())
        .AddSingleton<SessionReader>()
        .AddSingleton<RoomReader>()
        .AddSingleton<StatusReader>()
        .AddSingleton<SessionActions>()
        .AddSingleton<SettingsEditor>()
        .AddSingleton<AccountEditor>()
        .AddSingleton<WebhookEditor>()
        .AddSingleton<RecordingEditor>()
        .AddSingleton<AdminFilter>()
        .AddSingleton<IOperationsPart, AdminApi>()
        .AddSingleton<IOperationsPart, Dashboard>();
}
