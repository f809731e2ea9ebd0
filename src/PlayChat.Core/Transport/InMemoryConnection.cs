using System.Buffers;
using System.IO.Pipelines;
using System.Net;

namespace PlayChat.Core.Transport;

/// <summary>One end of a link within the process: two pipes, each with a bound, so that a reader who stops is felt by the sender.</summary>
internal sealed class InMemoryConnection : TransportConnection
{
    private readonly PipeReader _input;
    private readonly PipeWriter _output;
    private InMemoryConnection _peer = null!;
    private int _endReason;
    private int _finished;

    private InMemoryConnection(Pipe input, Pipe output, EndPoint? local, EndPoint? remote)
    {
        _input = input.Reader;
        _output = output.Writer;
        LocalEndPoint = local;
        RemoteEndPoint = remote;
    }

    public override EndPoint? RemoteEndPoint { get; }

    public override EndPoint? LocalEndPoint { get; }

    public override CloseReason EndReason => (CloseReason)Volatile.Read(ref _endReason);

    public override async ValueTask WaitForDataAsync()
    {
        ReadResult result = await _input.ReadAsync().ConfigureAwait(false);
        _input.AdvanceTo(result.Buffer.Start);
    }

    public override async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        ReadResult result = await _input.ReadAsync().ConfigureAwait(false);
        int bytes = (int)Math.Min(result.Buffer.Length, buffer.Length);
        if (EndReason is CloseReason.LocalClose or CloseReason.PeerReset)
        {
            _input.AdvanceTo(result.Buffer.End);
            return 0;
        }

        if (bytes == 0)
        {
            _input.AdvanceTo(result.Buffer.Start);
            SetEnd(CloseReason.PeerClosed);
            return 0;
        }

        ReadOnlySequence<byte> taken = result.Buffer.Slice(0, bytes);
        taken.CopyTo(buffer.Span);
        _input.AdvanceTo(taken.End);
        return bytes;
    }

    public override async ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer)
    {
        if (EndReason is CloseReason.LocalClose or CloseReason.PeerReset)
        {
            return false;
        }

        try
        {
            FlushResult result = await _output.WriteAsync(buffer).ConfigureAwait(false);
            if (result.IsCompleted)
            {
                SetEnd(CloseReason.PeerReset); // the peer is gone and reads no more
            }

            return EndReason is not (CloseReason.LocalClose or CloseReason.PeerReset);
        }
        catch (InvalidOperationException)
        {
            // The writer was completed by an abort meanwhile.
            return false;
        }
    }

    public override async ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers)
    {
        for (int i = 0; i < buffers.Count; i++)
        {
            if (!await SendAsync(buffers[i].AsMemory()).ConfigureAwait(false))
            {
                return false;
            }
        }

        return true;
    }

    public override void Shutdown() => FinishOutput();

    public override void Abort()
    {
        SetEnd(CloseReason.LocalClose);
        _peer.SetEnd(CloseReason.PeerReset);
        Wake();
        _peer.Wake();
    }

    internal static (TransportConnection Client, TransportConnection Server) CreatePair(int linkBytes, EndPoint? serverEndPoint = null)
    {
        var options = new PipeOptions(
            pauseWriterThreshold: linkBytes, resumeWriterThreshold: Math.Max(1, linkBytes / 2), useSynchronizationContext: false);
        var toServer = new Pipe(options);
        var toClient = new Pipe(options);
        EndPoint clientEndPoint = new IPEndPoint(IPAddress.Loopback, 40_000);
        var client = new InMemoryConnection(toClient, toServer, clientEndPoint, serverEndPoint);
        var server = new InMemoryConnection(toServer, toClient, serverEndPoint, clientEndPoint);
        client._peer = server;
        server._peer = client;
        return (client, server);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            FinishOutput();
            SetEnd(CloseReason.LocalClose);
            _input.Complete(); // or a peer that sends on would wait for a reader for ever
        }
    }

    private void FinishOutput()
    {
        if (Interlocked.Exchange(ref _finished, 1) == 0)
        {
            _output.Complete();
        }
    }

    private void Wake()
    {
        _output.CancelPendingFlush();
        FinishOutput();
        _input.CancelPendingRead();
    }

    private void SetEnd(CloseReason reason) =>
        Interlocked.CompareExchange(ref _endReason, (int)reason, (int)CloseReason.None);
}
