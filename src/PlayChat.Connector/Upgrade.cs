using System.Net.WebSockets;
using System.Security.Cryptography;
using System.Text;

namespace PlayChat.Connector;

/// <summary>Asks a server for a WebSocket (RFC 6455, section 4.1). The frames are those of the runtime.</summary>
/// <remarks>Not <see cref="ClientWebSocket"/>: on Mono it ignores the callback that judges the server's certificate.</remarks>
internal static class Upgrade
{
    private const string Subprotocol = "playchat.v1";
    private const string AcceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private const int MaxHeadBytes = 8 * 1024;

    /// <exception cref="IOException">The server refused; the message has its answer.</exception>
    internal static async Task<WebSocket> AskAsync(Stream stream, Uri address)
    {
        byte[] random = new byte[16];
        using (RandomNumberGenerator generator = RandomNumberGenerator.Create())
        {
            generator.GetBytes(random);
        }

        string key = Convert.ToBase64String(random);
        byte[] request = Encoding.ASCII.GetBytes(
            $"GET {address.PathAndQuery} HTTP/1.1\r\nHost: {address.Authority}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + $"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {Subprotocol}\r\n\r\n");
        await stream.WriteAsync(request.AsMemory()).ConfigureAwait(false);
        string[] answer = (await ReadHeadAsync(stream).ConfigureAwait(false)).Split('\n');
        if (!answer[0].StartsWith("HTTP/1.1 101", StringComparison.Ordinal))
        {
            throw new IOException($"the server answers {answer[0].Trim()}; check the path");
        }

        if (Find(answer, "Sec-WebSocket-Accept") != AcceptOf(key) || Find(answer, "Sec-WebSocket-Protocol") != Subprotocol)
        {
            throw new IOException($"the server does not speak WebSocket with the subprotocol {Subprotocol}");
        }

        return WebSocket.CreateFromStream(stream, isServer: false, Subprotocol, keepAliveInterval: Timeout.InfiniteTimeSpan);
    }

    // Byte by byte, because what follows belongs to the WebSocket.
    private static async Task<string> ReadHeadAsync(Stream stream)
    {
        byte[] next = new byte[1];
        var head = new StringBuilder();
        while (head.Length < MaxHeadBytes)
        {
            if (await stream.ReadAsync(next.AsMemory()).ConfigureAwait(false) == 0)
            {
                throw new IOException("the server closed instead of answering");
            }

            head.Append((char)next[0]);
            if (next[0] == '\n' && head.Length >= 4 && head.ToString(head.Length - 4, 4) == "\r\n\r\n")
            {
                return head.ToString();
            }
        }

        throw new IOException("the server's answer is too long");
    }

    private static string? Find(string[] head, string name) => head
        .FirstOrDefault(line => line.StartsWith(name + ":", StringComparison.OrdinalIgnoreCase))?.Substring(name.Length + 1).Trim();

    private static string AcceptOf(string key)
    {
#pragma warning disable CA5350, CA1850 // RFC 6455 demands SHA-1 here; it protects nothing. .NET Standard has no HashData.
        using var hash = SHA1.Create();
        return Convert.ToBase64String(hash.ComputeHash(Encoding.ASCII.GetBytes(key + AcceptSuffix)));
#pragma warning restore CA5350, CA1850
    }
}
