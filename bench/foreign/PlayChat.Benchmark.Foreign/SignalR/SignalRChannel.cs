using System.Buffers;
using System.Globalization;
using Microsoft.AspNetCore.SignalR.Client;
using PlayChat.Benchmark.Classroom;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Foreign.SignalR;

/// <summary>A connection of <see cref="SignalRNetwork"/>.</summary>
internal sealed class SignalRChannel(ClassroomLink link, int room) : IClassroomChannel, IAsyncDisposable
{
    private HubConnection? _connection;

    public async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken)
    {
        HubConnection connection = _connection = SignalRClient.Create(server);
        connection.On<byte[]>(BenchmarkHub.Heard, payload => link.OnMessage(payload));
        connection.Closed += exception =>
        {
            link.OnClosed(exception?.Message ?? "closed");
            return Task.CompletedTask;
        };
        await SignalRClient.ConnectAsync(connection, server, cancellationToken);
        await connection.InvokeAsync(nameof(BenchmarkHub.Join), room.ToString(CultureInfo.InvariantCulture), cancellationToken);
    }

    public bool Send(int bytes, SpanAction<byte, ClassroomLink> write)
    {
        if (_connection is not { State: HubConnectionState.Connected } connection)
        {
            return false;
        }

        byte[] payload = new byte[bytes];
        write(payload, link);
        _ = SendAsync(connection, payload);
        return true;
    }

    public ValueTask DisposeAsync() => _connection?.DisposeAsync() ?? ValueTask.CompletedTask;

    private static async Task SendAsync(HubConnection connection, byte[] payload)
    {
        try
        {
            await connection.SendAsync(nameof(BenchmarkHub.Say), payload);
        }
        catch (Exception e) when (e is InvalidOperationException or IOException or OperationCanceledException)
        {
            // The connection has ended, which Closed tells; the message is counted as lost.
        }
    }
}
