using System.Net;
using System.Net.Sockets;

namespace PlayChat.FunctionalTests.Resume;

/// <summary>Stands between clients and a server and cuts each connection after a number of packets, as a seed says, until it has made its
/// cuts.</summary>
internal sealed class CuttingProxy : IAsyncDisposable
{
    // Of both directions together. The first ones are the handshake, so some cuts fall into that. A read often brings several packets.
    private const int MaxPacketsBeforeCut = 100;
    private const int MaxReadsBeforeCut = 40;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _disposed = new();
    private readonly Random _random;
    private readonly int _serverPort;
    private readonly int _cuts;
    private readonly bool _isFramed;
    private readonly Task _accepting;
    private readonly List<Task> _relays = [];
    private int _cutsMade;

    /// <param name="serverPort">Of the server.</param>
    /// <param name="seed">Of the random numbers.</param>
    /// <param name="cuts">How many to make.</param>
    /// <param name="isFramed">
    /// Whether packets stand on the stream as they are. In a WebSocket they do not: what one read brings then counts as a packet.
    /// </param>
    public CuttingProxy(int serverPort, int seed, int cuts, bool isFramed = true)
    {
        _serverPort = serverPort;
        _isFramed = isFramed;
        _random = new Random(seed);
        _cuts = cuts;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Cuts made so far.</summary>
    public int CutsMade => Volatile.Read(ref _cutsMade);

    public async ValueTask DisposeAsync()
    {
        await _disposed.CancelAsync();
        _listener.Dispose();
        await _accepting;
        await Task.WhenAll(_relays).WaitAsync(TestTimeouts.Hang);
        _disposed.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            for (bool isFirst = true; ; isFirst = false)
            {
                Socket client = await _listener.AcceptSocketAsync(_disposed.Token);
                // A client that is late may have given up a connection before its cut: then that is made on the next.
                Cut cut = CutsMade < _cuts ? (Cut)_random.Next((int)Cut.Reset, (int)Cut.Stall + 1) : Cut.None;
                // The first connection logs in, which is not to be lost.
                int most = _isFramed ? MaxPacketsBeforeCut : MaxReadsBeforeCut;
                int packets = _random.Next(isFirst ? most / 2 : 1, most);
                _relays.Add(RelayAsync(client, cut, packets));
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The proxy ends.
        }
    }

    private async Task RelayAsync(Socket client, Cut cut, int packets)
    {
        using var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        using Socket accepted = client;
        client.NoDelay = server.NoDelay = true;
        using var done = CancellationTokenSource.CreateLinkedTokenSource(_disposed.Token);
        var count = new PacketCount(packets);
        try
        {
            await server.ConnectAsync(IPAddress.Loopback, _serverPort, _disposed.Token);
            await Task.WhenAll(ForwardAsync(client, server, cut, count, done), ForwardAsync(server, client, cut, count, done));
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // One side has gone, or the cut was made.
        }

        if (!count.IsReached)
        {
            return;
        }

        switch (cut)
        {
            case Cut.Reset:
                client.LingerState = server.LingerState = new LingerOption(enable: true, seconds: 0);
                break;
            case Cut.Stall:
                await GivenUpAsync(client);
                server.LingerState = new LingerOption(enable: true, seconds: 0);
                break;
        }
    }

    private async Task ForwardAsync(Socket from, Socket to, Cut cut, PacketCount count, CancellationTokenSource done)
    {
        byte[] buffer = new byte[16 * 1024];
        var frames = new FrameWatch(_isFramed);
        while (true)
        {
            int received = await from.ReceiveAsync(buffer, done.Token);
            if (received == 0)
            {
                to.Shutdown(SocketShutdown.Send);
                return;
            }

            int passed = cut == Cut.None ? received : frames.PassUntil(buffer.AsSpan(0, received), count);
            bool isCut = passed >= 0 && count.IsReached && cut != Cut.None;
            int bytes = isCut && cut == Cut.Truncate && frames.IsAtEnd ? passed - 1 : passed;
            for (int sent = 0; sent < bytes;)
            {
                sent += await to.SendAsync(buffer.AsMemory(sent, bytes - sent), done.Token);
            }

            if (isCut)
            {
                if (count.TryClaim())
                {
                    Interlocked.Increment(ref _cutsMade);
                }

                await done.CancelAsync();
                return;
            }
        }
    }

    /// <summary>Takes what the client still sends, until it closes.</summary>
    private async Task GivenUpAsync(Socket client)
    {
        byte[] buffer = new byte[1024];
        try
        {
            while (await client.ReceiveAsync(buffer, _disposed.Token) > 0)
            {
                // It has not noticed yet.
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException)
        {
            // It has reset the link.
        }
    }

    /// <summary>How many packets may still pass, in both directions together.</summary>
    private sealed class PacketCount(int packets)
    {
        private int _left = packets;
        private int _claimed;

        public bool IsReached => Volatile.Read(ref _left) <= 0;

        public bool CountOne() => Interlocked.Decrement(ref _left) <= 0;

        public bool TryClaim() => Interlocked.Exchange(ref _claimed, 1) == 0;
    }

    /// <summary>Follows the packets of one direction: four bytes of length, then so many.</summary>
    private sealed class FrameWatch(bool isFramed)
    {
        private int _headerBytes;
        private int _bodyBytes;

        /// <summary>The last byte that was passed ends a packet.</summary>
        public bool IsAtEnd { get; private set; }

        /// <returns>How many bytes may pass: all, or up to the end of the packet at which the count is reached.</returns>
        public int PassUntil(ReadOnlySpan<byte> bytes, PacketCount count)
        {
            if (!isFramed)
            {
                IsAtEnd = true;
                count.CountOne();
                return bytes.Length;
            }

            for (int i = 0; i < bytes.Length;)
            {
                IsAtEnd = false;
                if (_headerBytes < 4)
                {
                    _bodyBytes = (_bodyBytes << 8) | bytes[i++];
                    _headerBytes++;
                    continue;
                }

                int step = Math.Min(_bodyBytes, bytes.Length - i);
                i += step;
                _bodyBytes -= step;
                if (_bodyBytes == 0)
                {
                    IsAtEnd = true;
                    _headerBytes = 0;
                    if (count.CountOne())
                    {
                        return i;
                    }
                }
            }

            return bytes.Length;
        }
    }
}
