using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace PlayChat.TestUtilities.Hostile;

/// <summary>A peer that does with its socket what no client library would. Every wait has the hang guard.</summary>
public sealed class RawPeer : IDisposable
{
    private readonly Socket _socket;

    private RawPeer(Socket socket) => _socket = socket;

    /// <summary>Whether bytes, an end or a reset of the server wait to be received.</summary>
    public bool IsReadable => _socket.Poll(0, SelectMode.SelectRead);

    /// <summary>Connects to the loopback.</summary>
    /// <param name="port">The server's.</param>
    /// <param name="receiveBufferBytes">The kernel's receive buffer; 0 is the system's own.</param>
    /// <param name="source">The loopback address to connect from; any by default.</param>
    public static async Task<RawPeer> ConnectAsync(int port, int receiveBufferBytes = 0, IPAddress? source = null)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        if (receiveBufferBytes > 0)
        {
            socket.ReceiveBufferSize = receiveBufferBytes; // before connecting: the window is agreed on then
        }

        if (source is not null)
        {
            socket.Bind(new IPEndPoint(source, 0));
        }

        using var hang = new CancellationTokenSource(TestTimeouts.Hang);
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), hang.Token);
        return new RawPeer(socket);
    }

    /// <summary>A packet's bytes. Wire form: proto/PROTOCOL.md, "Packet".</summary>
    public static byte[] Packet(ushort id, ushort requestId, ReadOnlySpan<byte> payload)
    {
        byte[] bytes = new byte[8 + payload.Length];
        BinaryPrimitives.WriteInt32BigEndian(bytes, 4 + payload.Length);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(4), id);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(6), requestId);
        payload.CopyTo(bytes.AsSpan(8));
        return bytes;
    }

    /// <summary>Sends all of it.</summary>
    /// <exception cref="SocketException">The server has reset the connection.</exception>
    public async Task SendAsync(ReadOnlyMemory<byte> bytes)
    {
        using var hang = new CancellationTokenSource(TestTimeouts.Hang);
        while (bytes.Length > 0)
        {
            bytes = bytes[await _socket.SendAsync(bytes, SocketFlags.None, hang.Token)..];
        }
    }

    /// <summary>Sends all of it, unless the server has closed.</summary>
    /// <returns>Whether it was sent.</returns>
    public async Task<bool> TrySendAsync(ReadOnlyMemory<byte> bytes)
    {
        try
        {
            await SendAsync(bytes);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    /// <summary>Receives exactly so many bytes.</summary>
    /// <exception cref="EndOfStreamException">The server ended the stream before.</exception>
    /// <exception cref="SocketException">The server has reset the connection.</exception>
    public async Task<byte[]> ReceiveAsync(int count)
    {
        byte[] bytes = new byte[count];
        return await FillAsync(bytes) == count ? bytes : throw new EndOfStreamException();
    }

    /// <summary>Receives the next packet.</summary>
    /// <returns>Null when the server has ended or reset the connection.</returns>
    public async Task<RawPacket?> ReceivePacketAsync()
    {
        try
        {
            byte[] header = new byte[8];
            if (await FillAsync(header) < header.Length)
            {
                return null;
            }

            byte[] payload = await ReceiveAsync(BinaryPrimitives.ReadInt32BigEndian(header) - 4);
            return new RawPacket(
                BinaryPrimitives.ReadUInt16BigEndian(header.AsSpan(4)), BinaryPrimitives.ReadUInt16BigEndian(header.AsSpan(6)), payload);
        }
        catch (Exception e) when (e is EndOfStreamException or SocketException)
        {
            // Ended in the middle, or reset: no packet either.
            return null;
        }
    }

    /// <summary>Receives packets until the server has ended the connection.</summary>
    /// <returns>The last one; null when none came.</returns>
    public async Task<RawPacket?> ReceiveLastPacketAsync()
    {
        RawPacket? last = null;
        while (await ReceivePacketAsync() is { } packet)
        {
            last = packet;
        }

        return last;
    }

    /// <summary>Ends this side's stream; the server's answers still come.</summary>
    public void EndSending() => _socket.Shutdown(SocketShutdown.Send);

    /// <summary>Breaks the connection off, as a crash of the machine would: the server sees a reset.</summary>
    public void Reset()
    {
        _socket.LingerState = new LingerOption(enable: true, seconds: 0);
        _socket.Dispose();
    }

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    private async Task<int> FillAsync(Memory<byte> bytes)
    {
        using var hang = new CancellationTokenSource(TestTimeouts.Hang);
        int filled = 0;
        while (filled < bytes.Length)
        {
            int received = await _socket.ReceiveAsync(bytes[filled..], SocketFlags.None, hang.Token);
            if (received == 0)
            {
                break;
            }

            filled += received;
        }

        return filled;
    }
}
