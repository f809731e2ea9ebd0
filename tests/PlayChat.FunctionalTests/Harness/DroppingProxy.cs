using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using PlayChat.Protocol;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>Stands between chat clients and their server, and passes everything on but one in so many chat messages on their way to a
/// receiver.</summary>
internal sealed class DroppingProxy : IAsyncDisposable
{
    private const int HeaderBytes = 8;
    private const int LengthBytes = 4;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly int _serverPort;
    private readonly int _oneIn;
    private readonly ConcurrentBag<TcpClient> _sockets = [];
    private readonly ConcurrentBag<SRoomChatNtf> _dropped = [];
    private readonly Task _accepting;
    private int _seen;

    public DroppingProxy(int serverPort, int oneIn)
    {
        _serverPort = serverPort;
        _oneIn = oneIn;
        _listener.Start(backlog: 1024);
        _accepting = AcceptAsync();
    }

    /// <summary>Where clients connect.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>What did not get through.</summary>
    public IReadOnlyCollection<SRoomChatNtf> Dropped => _dropped;

    public async ValueTask DisposeAsync()
    {
        _listener.Dispose();
        await _accepting;
        foreach (TcpClient socket in _sockets)
        {
            socket.Dispose();
        }
    }

    private static async Task CopyAsync(NetworkStream from, NetworkStream to)
    {
        try
        {
            await from.CopyToAsync(to);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // One side has gone: so has the other soon.
        }
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                TcpClient client = await _listener.AcceptTcpClientAsync();
                var server = new TcpClient(AddressFamily.InterNetwork) { NoDelay = true };
                client.NoDelay = true;
                _sockets.Add(client);
                _sockets.Add(server);
                await server.ConnectAsync(IPAddress.Loopback, _serverPort);
                _ = CopyAsync(client.GetStream(), server.GetStream());
                _ = PassOnAsync(server.GetStream(), client.GetStream());
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Disposed.
        }
    }

    private async Task PassOnAsync(NetworkStream server, NetworkStream client)
    {
        byte[] packet = new byte[64 * 1024];
        try
        {
            while (true)
            {
                await server.ReadExactlyAsync(packet.AsMemory(0, LengthBytes));
                int bytes = LengthBytes + BinaryPrimitives.ReadInt32BigEndian(packet);
                if (bytes > packet.Length)
                {
                    Array.Resize(ref packet, bytes);
                }

                await server.ReadExactlyAsync(packet.AsMemory(LengthBytes, bytes - LengthBytes));
                if ((PacketId)BinaryPrimitives.ReadUInt16BigEndian(packet.AsSpan(LengthBytes)) == PacketId.SRoomChatNtf
                    && Interlocked.Increment(ref _seen) % _oneIn == 0)
                {
                    _dropped.Add(SRoomChatNtf.Parser.ParseFrom(packet.AsSpan(HeaderBytes, bytes - HeaderBytes)));
                    continue;
                }

                await client.WriteAsync(packet.AsMemory(0, bytes));
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // One side has gone: so has the other soon.
        }
    }
}
