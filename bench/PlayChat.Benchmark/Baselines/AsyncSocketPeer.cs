using System.Net.Sockets;

namespace PlayChat.Benchmark.Baselines;

/// <summary>A connection of <see cref="AsyncSocketServer"/>.</summary>
internal sealed class AsyncSocketPeer(Socket socket, BaselineHub hub) : IBaselineMember
{
    private readonly Outbox _outbox = new();

    /// <summary>Serves it until it ends. Never throws.</summary>
    public async Task RunAsync()
    {
        BaselineRoom? room = hub.Enter(this);
        try
        {
            await ReceiveAsync(room);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The peer disconnected, or the server stops.
        }
        finally
        {
            hub.Leave(this, room);
            socket.Dispose();
        }
    }

    public void Close() => socket.Dispose();

    public void Deliver(ReadOnlyMemory<byte> frames)
    {
        if (!_outbox.TryAppend(frames.Span))
        {
            hub.Counters.OnSlowConsumer();
            Close();
        }
    }

    public void Flush() => _ = SendOutboxAsync();

    private async Task ReceiveAsync(BaselineRoom? room)
    {
        var buffer = new ReceiveBuffer(hub.Framing);
        while (await socket.ReceiveAsync(buffer.Free) is > 0 and var bytes
            && buffer.TryTake(bytes, out ReadOnlyMemory<byte> whole, out int frames))
        {
            hub.Counters.OnReceived(bytes, frames);
            if (frames > 0)
            {
                if (room is null)
                {
                    hub.Counters.OnEchoed(frames);
                    await SendAsync(whole);
                }
                else
                {
                    room.Broadcast(whole, frames);
                }
            }

            buffer.Release();
        }
    }

    private async Task SendOutboxAsync()
    {
        try
        {
            for (bool more = _outbox.TryBegin(out ReadOnlyMemory<byte> block); more; more = _outbox.TryContinue(out block))
            {
                await SendAsync(block);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The receive loop ends as well.
        }
    }

    private async ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            int sent = await socket.SendAsync(bytes);
            hub.Counters.OnSent(sent);
            bytes = bytes[sent..];
        }
    }
}
