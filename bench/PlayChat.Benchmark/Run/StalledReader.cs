namespace PlayChat.Benchmark.Run;

/// <summary>A peer that never reads. It is a plain socket, because a connection of the library always reads.</summary>
internal sealed class StalledReader : IDisposable
{
    // Small, so that unread data soon accumulates in the server.
    private const int ReceiveBufferBytes = 8 * 1024;

    private bool _isReset; // the system tells an error once

    public Socket Socket { get; } = new(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = ReceiveBufferBytes };

    /// <summary>Whether the server has reset the connection, which discards everything it sent before.</summary>
    public bool IsReset => _isReset |=
        (int)Socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)! != 0 || Socket.Poll(0, SelectMode.SelectError);

    public async Task ConnectAsync(ServerAddress server, CancellationToken cancellationToken)
    {
        try
        {
            await Socket.ConnectAsync(server.Host, server.Port, cancellationToken);
        }
        catch (SocketException e)
        {
            throw new UsageException($"Cannot connect to {server}: {e.Message}");
        }
    }

    /// <summary>Sees whether there is a server.</summary>
    public static async Task ProbeAsync(ServerAddress server, CancellationToken cancellationToken)
    {
        using var probe = new StalledReader();
        await probe.ConnectAsync(server, cancellationToken);
    }

    public void Dispose() => Socket.Dispose();
}
