using System.Net;
using PlayChat.Core.Transport;

namespace PlayChat.TestUtilities;

/// <summary>Reads the header of the PROXY protocol without a socket.</summary>
public static class ProxyHeaderScan
{
    /// <summary>The largest header that is read.</summary>
    public const int MaxBytes = ProxyHeader.MaxBytes;

    /// <summary>Reads a header from bytes that are all there.</summary>
    /// <param name="input">The header, and what follows it.</param>
    /// <param name="client">The client's address, if the header names one.</param>
    /// <returns>How long the header is; -1 when it is malformed or not all there.</returns>
    public static int Read(ReadOnlySpan<byte> input, out IPEndPoint? client)
    {
        client = null;
        int read = 0;
        int needed = ProxyHeader.GetBytesNeeded([]);
        while (needed > read && needed <= input.Length)
        {
            read = needed;
            needed = ProxyHeader.GetBytesNeeded(input[..read]);
        }

        return needed == read && ProxyHeader.TryParse(input[..read], out client) ? read : -1;
    }

    /// <summary>Reads a header from a link that receives it in pieces, and then the bytes that follow.</summary>
    /// <returns>The peer's address as the connection sees it, and how many bytes follow; null when the link is refused.</returns>
    public static async Task<(EndPoint? Peer, int RestBytes)?> AcceptAsync(IEnumerable<ReadOnlyMemory<byte>> pieces)
    {
        ArgumentNullException.ThrowIfNull(pieces);
        using var link = new StubLink();
        foreach (ReadOnlyMemory<byte> piece in pieces)
        {
            link.Feed(piece);
        }

        // The link's end comes when everything else has been received: a stub that has ended gives nothing more.
        Task<TransportConnection?> accepting = ProxiedConnection.AcceptAsync(link);
        if (!accepting.IsCompleted)
        {
            link.FeedEnd();
        }

        TransportConnection? accepted = await accepting;
        if (accepted is null)
        {
            return null;
        }

        byte[] buffer = new byte[1024];
        int rest = 0;
        while (true)
        {
            ValueTask<int> receiving = accepted.ReceiveAsync(buffer);
            if (!receiving.IsCompleted)
            {
                link.FeedEnd();
            }

            int received = await receiving;
            if (received == 0)
            {
                return (accepted == link ? null : accepted.RemoteEndPoint, rest);
            }

            rest += received;
        }
    }
}
