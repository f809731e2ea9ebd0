using System.Net;

namespace PlayChat.Core.Transport;

/// <summary>One link to a peer: bytes in, bytes out. It knows no frames and makes no decision.</summary>
/// <remarks>
/// One receive and one send may be under way at a time, from any threads; <see cref="Abort"/> may come at any moment. What the
/// peer or the network does is never an exception: a receive gives 0, a send <see langword="false"/>, and
/// <see cref="EndReason"/> says why.
/// </remarks>
public abstract class TransportConnection : IDisposable
{
    /// <summary>The peer's address; <see langword="null"/> where a transport has none.</summary>
    public abstract EndPoint? RemoteEndPoint { get; }

    /// <summary>Our side's address; <see langword="null"/> where a transport has none.</summary>
    public abstract EndPoint? LocalEndPoint { get; }

    /// <summary>Why the link ended; <see cref="CloseReason.None"/> while it has not.</summary>
    public abstract CloseReason EndReason { get; }

    /// <summary>
    /// Whether <see cref="WaitForDataAsync"/> costs no system call, because the transport learns by itself what can be received. A connection
    /// then holds a receive buffer only while there is something to receive.
    /// </summary>
    public virtual bool KnowsReadiness => false;

    /// <summary>
    /// Completes when a receive would give something (or the end) at once, without holding a buffer meanwhile. A transport that
    /// cannot tell completes immediately.
    /// </summary>
    public virtual ValueTask WaitForDataAsync() => ValueTask.CompletedTask;

    /// <summary>Receives what is there, at least one byte.</summary>
    /// <param name="buffer">Not empty; the transport's until the task completes.</param>
    /// <returns>How many bytes came; 0 when the link has ended.</returns>
    public abstract ValueTask<int> ReceiveAsync(Memory<byte> buffer);

    /// <summary>Sends all of a buffer.</summary>
    /// <param name="buffer">Not changed until the task completes.</param>
    /// <returns><see langword="false"/> when the link has ended; how much arrived is then unknown.</returns>
    public abstract ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer);

    /// <summary>Sends several buffers in order, as one where the system can (a gathered send).</summary>
    /// <param name="buffers">The list and its arrays are not changed until the task completes.</param>
    /// <returns><see langword="false"/> when the link has ended; how much arrived is then unknown.</returns>
    public abstract ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers);

    /// <summary>Tells the peer that nothing more will come (FIN), after what was sent. Receiving goes on. Not while a send is under way.</summary>
    public abstract void Shutdown();

    /// <summary>Ends the link now; what is under way completes as ended. The peer of a TCP link sees a reset. Thread-safe, may be repeated.</summary>
    public abstract void Abort();

    /// <summary>Frees the link; implies <see cref="Abort"/>. Only when nothing is under way.</summary>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Frees what the transport holds.</summary>
    protected abstract void Dispose(bool disposing);
}
