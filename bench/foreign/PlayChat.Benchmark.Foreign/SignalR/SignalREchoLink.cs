using Microsoft.AspNetCore.SignalR.Client;
using PlayChat.Benchmark.Echo;
using PlayChat.Core.Connections;

namespace PlayChat.Benchmark.Foreign.SignalR;

/// <summary>A connection of <see cref="SignalREcho"/>.</summary>
internal sealed class SignalREchoLink(EchoLoad load, HubConnection connection) : AskingEchoLink(load)
{
    /// <inheritdoc/>
    public override Task LoginAsync(Connection connection, string name, CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public override void Start(Connection connection) => Start();

    /// <inheritdoc/>
    protected override async ValueTask<bool> EchoAsync(byte[] payload) =>
        (await connection.InvokeAsync<byte[]>(nameof(BenchmarkHub.Echo), payload)).AsSpan().SequenceEqual(payload);

    /// <inheritdoc/>
    protected override bool IsClose(Exception exception) => false; // each request that fails is a fault
}
