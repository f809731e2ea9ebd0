using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace PlayChat.Benchmark.Baselines;

/// <summary>What Kestrel calls for each connection.</summary>
internal sealed class KestrelConnections(BaselineHub hub) : ConnectionHandler
{
    public override async Task OnConnectedAsync(ConnectionContext connection)
    {
        var peer = new KestrelPeer(connection, hub);
        BaselineRoom? room = hub.Enter(peer);
        try
        {
            await ReceiveAsync(connection.Transport, room);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or InvalidOperationException)
        {
            // The peer disconnected, or the server stops.
        }
        finally
        {
            hub.Leave(peer, room);
        }
    }

    private async Task ReceiveAsync(IDuplexPipe transport, BaselineRoom? room)
    {
        long left = 0;
        while (true)
        {
            ReadResult result = await transport.Input.ReadAsync();
            ReadOnlySequence<byte> received = result.Buffer;
            if (result.IsCanceled || !hub.Framing.TryScan(in received, out FrameRun run))
            {
                return;
            }

            hub.Counters.OnReceived(received.Length - left, run.Frames);
            left = received.Length - run.Bytes;
            if (run.Frames > 0)
            {
                await AnswerAsync(transport.Output, received.Slice(0, run.Bytes), run.Frames, room);
            }

            transport.Input.AdvanceTo(received.GetPosition(run.Bytes), received.End);
            if (result.IsCompleted)
            {
                return;
            }
        }
    }

    // All answers to one read with one flush.
    private async ValueTask AnswerAsync(PipeWriter output, ReadOnlySequence<byte> whole, int frames, BaselineRoom? room)
    {
        if (room is not null)
        {
            room.Broadcast(whole.IsSingleSegment ? whole.First : whole.ToArray(), frames);
            return;
        }

        hub.Counters.OnEchoed(frames);
        hub.Counters.OnSent(whole.Length, operations: 0); // Kestrel sends on its own
        foreach (ReadOnlyMemory<byte> piece in whole)
        {
            output.Write(piece.Span);
        }

        await output.FlushAsync();
    }
}
