using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Transport;

namespace PlayChat.TestUtilities.Transport;

/// <summary>A <see cref="PipeTransport"/> whose pipes are those of real sockets, so that clients of any kind reach it.</summary>
public sealed class PipedSocketTransport : ITransport
{
    /// <inheritdoc/>
    public TransportListener Listen(EndPoint endPoint, TransportOptions options, ILogger? logger = null)
    {
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(endPoint);
        socket.Listen();
        var pipes = new PipeTransport(); // one for each listener
        TransportListener listener = ((ITransport)pipes).Listen(socket.LocalEndPoint!, options, logger);
        _ = AcceptAsync(socket, pipes, options);
        return new Listener(listener, socket);
    }

    /// <inheritdoc/>
    public ValueTask<TransportConnection> ConnectAsync(
        EndPoint endPoint, TransportOptions options, ILogger? logger = null, CancellationToken cancellationToken = default) =>
        ((ITransport)SocketTransport.Instance).ConnectAsync(endPoint, options, logger, cancellationToken);

    private static async Task AcceptAsync(Socket listener, PipeTransport pipes, TransportOptions options)
    {
        try
        {
            while (true)
            {
                _ = ServeAsync(await listener.AcceptAsync(), pipes, options);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The listener was disposed.
        }
    }

    private static async Task ServeAsync(Socket socket, PipeTransport pipes, TransportOptions options)
    {
        if (options.SendBufferBytes > 0)
        {
            socket.SendBufferSize = options.SendBufferBytes;
        }

        using (socket)
        {
            await pipes.AcceptAsync(new SocketPipe(socket), socket.RemoteEndPoint, socket.LocalEndPoint);
        }
    }

    private sealed class SocketPipe(Socket socket) : IDuplexPipe
    {
        public PipeReader Input { get; } = PipeReader.Create(new NetworkStream(socket));

        public PipeWriter Output { get; } = PipeWriter.Create(new SendingStream(socket));
    }

    /// <summary>Its disposal, by which a completed output ends, sends the FIN.</summary>
    private sealed class SendingStream(Socket socket) : NetworkStream(socket, ownsSocket: false)
    {
        protected override void Dispose(bool disposing)
        {
            try
            {
                Socket.Shutdown(SocketShutdown.Send);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                // The link has broken already.
            }

            base.Dispose(disposing);
        }
    }

    private sealed class Listener(TransportListener pipes, Socket socket) : TransportListener
    {
        public override EndPoint EndPoint => pipes.EndPoint;

        public override ValueTask<TransportConnection?> AcceptAsync() => pipes.AcceptAsync();

        public override ValueTask DisposeAsync()
        {
            socket.Dispose();
            return pipes.DisposeAsync();
        }
    }
}
