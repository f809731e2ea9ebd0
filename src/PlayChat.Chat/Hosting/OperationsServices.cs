using Microsoft.Extensions.DependencyInjection;
using PlayChat.Chat.Operations;
using PlayChat.Chat.Operations.Admin;
using PlayChat.Chat.Operations.Metrics;

namespace PlayChat.Chat.Hosting;

/// <summary>Adds the operations endpoint with its parts.</summary>
internal static class OperationsServices
{
    // The endpoint comes before all other services: it starts first and stops last, so it can tell of both.
    public static void Add(IServiceCollection services)
    {
        services.AddSingleton<OperationsEndpoint>();
        services.AddHostedService(static provider =>
        {
            var endpoint = provider.GetRequiredService<OperationsEndpoint>();
            if (endpoint.Certificate is { } certificate)
            {
                provider.GetRequiredService<Reloader>().Add(OperationsCertificate.Name, certificate.ReloadAsync, certificate.Check);
            }

            return endpoint;
        });
        services.AddHealthChecks().AddCheck<ServerReadiness>("server");
        services.AddSingleton<IOperationsPart, HealthPart>();
        services.AddSingleton<ILiveSettings>(static provider => provider.GetRequiredService<Reloader>());
        services.AddSingleton(static provider =>
        {
            var server = provider.GetRequiredService<PlayChatServer>();
            var closes = new CloseHistory(server, provider.GetRequiredService<TimeProvider>());
            server.OnDisconnected(closes.Add); // the endpoint starts before the server, so every end is seen
            return closes;
        });
        services.AddSingleton<FigureHistory>();
        services.AddHostedService(static provider => provider.GetRequiredService<FigureHistory>());
        services.AddSingleton<SessionReader>().AddSingleton<RoomReader>().AddSingleton<StatusReader>();
        services.AddSingleton<SessionActions>();
        services.AddSingleton<SettingsEditor>().AddSingleton<AccountEditor>();
        services.AddSingleton<WebhookEditor>().AddSingleton<RecordingEditor>();
        services.AddSingleton<AdminFilter>().AddSingleton<IOperationsPart, AdminApi>().AddSingleton<IOperationsPart, Dashboard>();
        services.AddSingleton<MeterReader>().AddSingleton<ServerInstruments>();
        services.AddSingleton(static provider =>
        {
            provider.GetRequiredService<ServerInstruments>(); // exists from the first reading on
            return ActivatorUtilities.CreateInstance<MetricsPart>(provider);
        });
        services.AddSingleton<IOperationsPart>(static provider => provider.GetRequiredService<MetricsPart>());
    }
}
