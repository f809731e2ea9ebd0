using System.Net;
using System.Net.Sockets;
using PlayChat.TestUtilities.Hostile;

namespace PlayChat.AttackTests.Harness;

/// <summary>Many raw peers that stay connected for as long as the server lets them.</summary>
internal sealed class Crowd : IDisposable
{
    private static readonly TimeSpan s_pace = TimeSpan.FromMilliseconds(50);

    private readonly List<RawPeer> _peers = [];
    private int _refusedAtOnce;

    /// <summary>Connects one more.</summary>
    /// <param name="port">The server's.</param>
    /// <param name="source">The loopback address to connect from.</param>
    /// <param name="first">What the peer sends, if anything.</param>
    public async Task AddAsync(int port, string source, ReadOnlyMemory<byte> first = default)
    {
        RawPeer peer;
        try
        {
            peer = await RawPeer.ConnectAsync(port, source: IPAddress.Parse(source));
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.ConnectionReset)
        {
            _refusedAtOnce++; // before this end saw that it was connected
            return;
        }

        _peers.Add(peer);
        await peer.TrySendAsync(first); // a peer that has been refused since is readable
    }

    /// <summary>Waits until the server has refused exactly so many of the connections. It says nothing to the others.</summary>
    public async Task RefusedAsync(int expected)
    {
        using var hang = new CancellationTokenSource(TestTimeouts.Hang);
        using var timer = new PeriodicTimer(s_pace);
        while (CountRefused() < expected)
        {
            await timer.WaitForNextTickAsync(hang.Token);
        }

        Assert.Equal(expected, CountRefused());
    }

    /// <inheritdoc/>
    public void Dispose() => _peers.ForEach(static peer => peer.Reset());

    private int CountRefused() => _refusedAtOnce + _peers.Count(static peer => peer.IsReadable);
}
