using Microsoft.Extensions.Diagnostics.HealthChecks;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Cluster;
using PlayChat.Chat.Rooms.Order;

namespace PlayChat.Chat.Operations;

/// <summary>Says whether a load balancer should send new clients here. Thread-safe.</summary>
/// <remarks>
/// The store and logins exist in chat mode alone, and the node in a cluster alone. Only under <see cref="Durability.Stored"/> do senders
/// wait for the database. In a cluster all nodes have one database, so a full disk must not take all of them from the balancer.
/// </remarks>
internal sealed class ServerReadiness(
    IHostApplicationLifetime lifetime, StoredDelivery? stored = null, ClusterNode? node = null, AccountLogin? logins = null)
    : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(
            lifetime.ApplicationStopping.IsCancellationRequested ? HealthCheckResult.Unhealthy("The server is stopping.")
            : !lifetime.ApplicationStarted.IsCancellationRequested ? HealthCheckResult.Unhealthy("The server is starting.")
            : node is { Life: null } ? HealthCheckResult.Unhealthy("The node has lost its place in the cluster.")
            : stored is { IsStuck: true } ? HealthCheckResult.Unhealthy("The database does not answer.")
            : node is null && logins is { IsUnwritable: true }
                ? HealthCheckResult.Unhealthy("The database takes no writes, so logins fail: free its disk.")
            : HealthCheckResult.Healthy("The server takes clients."));
}
