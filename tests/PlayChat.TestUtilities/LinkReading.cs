using PlayChat.Core.Transport;

namespace PlayChat.TestUtilities;

/// <summary>Reads a raw link as a test does.</summary>
public static class LinkReading
{
    /// <summary>Receives exactly so many bytes, or what came before the end.</summary>
    public static async Task<byte[]> ReceiveAsync(this TransportConnection link, int bytes)
    {
        byte[] buffer = new byte[bytes];
        int filled = 0;
        while (filled < bytes)
        {
            int received = await link.ReceiveAsync(buffer.AsMemory(filled)).AsTask().WaitAsync(TestTimeouts.Hang).ConfigureAwait(false);
            if (received == 0)
            {
                return buffer[..filled];
            }

            filled += received;
        }

        return buffer;
    }

    /// <summary>Receives everything up to the end.</summary>
    public static async Task<byte[]> ReceiveToEndAsync(this TransportConnection link)
    {
        using var all = new MemoryStream();
        byte[] buffer = new byte[16 * 1024];
        while (await link.ReceiveAsync(buffer.AsMemory()).AsTask()
            .WaitAsync(TestTimeouts.Hang).ConfigureAwait(false) is var received and > 0)
        {
            all.Write(buffer, 0, received);
        }

        return all.ToArray();
    }
}
