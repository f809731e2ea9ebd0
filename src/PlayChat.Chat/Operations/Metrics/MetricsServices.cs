using Microsoft.Extensions.DependencyInjection;

namespace PlayChat.Chat.Operations.Metrics;

/// <summary>Adds the metrics to the services of a server that has an operations endpoint.</summary>
internal static class MetricsServices
{
    public static IServiceCollection AddPrometheus(this IServiceCollection services) => services
        .AddSingleton<MeterReader>()
        .AddSingleton<ServerInstruments>()
        .AddSingleton(static provider =>
        {
            provider.GetRequiredService<ServerInstruments>(); // exists from the first reading on
            return ActivatorUtilities.CreateInstance<MetricsPart>(provider);
        })
        .AddSingleton<IOperationsPart>(static provider => provider.GetRequiredService<MetricsPart>());
}
