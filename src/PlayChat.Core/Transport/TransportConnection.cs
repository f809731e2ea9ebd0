using System.Net;

namespace PlayChat.Core.Transport;

/// <summary>A link to one peer that receives and sends bytes. It knows no frames and makes no decisions.</summary>
/// <remarks>
/// One receive and one send may be under way at a time, from any threads; <see cref="Abort"/> may be called at any moment. A fault of the
/// peer or the network is never an exception: a receive returns 0, a send returns <see langword="false"/>, and <see cref="EndReason"/> says
/// why.
/// </remarks>
public abstract class TransportConnection : IDisposable
{
    private LinkLedger? _ledger; // null for a link that was not accepted by a server, and when it is disposed
    private PeerNetwork _network;

    /// <summary>The address of the peer; <see langword="null"/> if the transport has no addresses.</summary>
    public abstract EndPoint? RemoteEndPoint { get; }

    /// <summary>Why the server refuses the link; <see cref="CloseReason.None"/> if it does not.</summary>
    internal CloseReason Refusal { get; private set; }

    /// <summary>The address of this side; <see langword="null"/> if the transport has no addresses.</summary>
    public abstract EndPoint? LocalEndPoint { get; }

    /// <summary>Why the link ended; <see cref="CloseReason.None"/> while it is open.</summary>
    public abstract CloseReason EndReason { get; }

    /// <summary>
    /// Whether <see cref="WaitForDataAsync"/> costs no system call, because the transport is told when there is something to receive. A
    /// connection then holds a receive buffer only while there is something to receive. Default <see langword="false"/>.
    /// </summary>
    public virtual bool KnowsReadiness => false;

    /// <summary>
    /// Completes when a receive would return at once with bytes or with the end. Meanwhile no buffer is held. By default it
    /// completes immediately, which is right for a transport that cannot tell.
    /// </summary>
    public virtual ValueTask WaitForDataAsync() => ValueTask.CompletedTask;

    /// <summary>Receives the bytes that are there, at least one.</summary>
    /// <param name="buffer">Not empty. The transport owns it until the task completes.</param>
    /// <returns>The number of bytes; 0 when the link has ended.</returns>
    public abstract ValueTask<int> ReceiveAsync(Memory<byte> buffer);

    /// <summary>Sends all of a buffer.</summary>
    /// <param name="buffer">Do not change it until the task completes.</param>
    /// <returns><see langword="false"/> when the link has ended; the number of bytes that arrived is then unknown.</returns>
    public abstract ValueTask<bool> SendAsync(ReadOnlyMemory<byte> buffer);

    /// <summary>Sends several buffers in order, as one system call where possible (a gathered send).</summary>
    /// <param name="buffers">Do not change the list or its arrays until the task completes.</param>
    /// <returns><see langword="false"/> when the link has ended; the number of bytes that arrived is then unknown.</returns>
    public abstract ValueTask<bool> SendAsync(IList<ArraySegment<byte>> buffers);

    /// <summary>
    /// Tells the peer that no more bytes follow (FIN), after the bytes that were sent. Receiving still works. Not while a send is under
    /// way.
    /// </summary>
    public abstract void Shutdown();

    /// <summary>
    /// Ends the link now: operations under way complete as ended, and the peer of a TCP link sees a reset. Thread-safe; repeated calls do
    /// nothing.
    /// </summary>
    public abstract void Abort();

    /// <summary>Frees the link; implies <see cref="Abort"/>. Only when no receive or send is under way.</summary>
    public void Dispose()
    {
        Dispose(disposing: true);
        Interlocked.Exchange(ref _ledger, null)?.Remove(_network, Refusal);
        GC.SuppressFinalize(this);
    }

    /// <summary>Notes the ledger that counts the link until it is disposed.</summary>
    internal void Enter(LinkLedger ledger, PeerNetwork network, CloseReason refusal)
    {
        _network = network;
        Refusal = refusal;
        _ledger = ledger;
    }

    /// <summary>Frees the resources of the link.</summary>
    protected abstract void Dispose(bool disposing);
}
