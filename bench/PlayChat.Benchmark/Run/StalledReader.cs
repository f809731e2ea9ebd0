using System.Net.Sockets;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Run;

/// <summary>A peer that never reads: a socket of its own, because a connection of the library reads.</summary>
internal sealed class StalledReader : IDisposable
{
    // Small, so that what it does not read soon stays with the server.
    private const int ReceiveBufferBytes = 8 * 1024;

    /// <summary>Its socket.</summary>
    public Socket Socket { get; } = new(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = ReceiveBufferBytes };

    /// <summary>Whether the server has reset it. What it had sent before is lost with that, so no last word can be read.</summary>
    public bool IsReset => (int)Socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error)! != 0 || Socket.Poll(0, SelectMode.SelectError);

    /// <summary>Connects.</summary>
    /// <exception cref="UsageException">The server cannot be reached.</exception>
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

    /// <inheritdoc/>
    public void Dispose() => Socket.Dispose();
}
