using System.Security.Claims;

namespace PlayChat.Core.Transport;

/// <summary>A link to one peer that receives and sends bytes. It knows no frames and makes no decisions.</summary>
/// <remarks>
/// One receive and one send may be under way at a time, from any threads; <see cref="Abort"/> may be called at any moment. A fault of the
/// peer or the network is never an exception: a receive returns 0, a send returns <see langword="false"/>, and <see cref="EndReason"/> says
/// why.
/// </remarks>
public abstract class TransportConnection : IDisposable
{
    /// <summary>
    /// What a receive of a link inside another protocol returns when it brought no byte of content. The caller then calls
    /// <see cref="TakeViolation"/>, and receives again when there is something to receive.
    /// </summary>
    internal const int NothingYet = -1;

    private LinkLedger? _ledger; // null for a link that was not accepted by a server, and when it is disposed
    private PeerNetwork _network;

    /// <summary>The address of the peer; <see langword="null"/> if the transport has no addresses.</summary>
    public abstract EndPoint? RemoteEndPoint { get; }

    /// <summary>The network of the peer of a link that a server has let in. Unlike <see cref="RemoteEndPoint"/>, it costs nothing to
    /// read.</summary>
    internal PeerNetwork Network => _network;

    /// <summary>Why the server refuses the link; <see cref="CloseReason.None"/> if it does not.</summary>
    internal CloseReason Refusal { get; private set; }

    /// <summary>The address of this side; <see langword="null"/> if the transport has no addresses.</summary>
    public abstract EndPoint? LocalEndPoint { get; }

    /// <summary>Why the link ended; <see cref="CloseReason.None"/> while it is open.</summary>
    public abstract CloseReason EndReason { get; }

    /// <summary>The certificate that the peer has shown under TLS, after it was checked; <see langword="null"/> if there is none.</summary>
    internal virtual X509Certificate2? PeerCertificate => null;

    /// <summary>The user that another server has authenticated before it handed the link over; <see langword="null"/> if none.</summary>
    internal virtual ClaimsPrincipal? User => null;

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

    /// <summary>
    /// Executes the reader once, as soon as a receive would return at once with bytes or with the end. One call at a time, and not while
    /// <see cref="WaitForDataAsync"/> or a receive is under way.
    /// </summary>
    /// <remarks>
    /// Optional. It replaces <see cref="WaitForDataAsync"/>, whose task and continuation delegate cost two more objects that are cold when
    /// a link's turn comes. A link inside another protocol may execute the reader for a part of a record: the receive that follows then
    /// waits for the rest.
    /// </remarks>
    /// <param name="reader">Must not throw: an exception closes the link.</param>
    /// <returns>
    /// <see langword="false"/> when a receive would already return at once: the reader is then not executed, and the caller continues.
    /// <see langword="true"/> otherwise: the reader may have run on another thread before this method returns. <see langword="null"/>, the
    /// default, when the link cannot do this: the caller then uses <see cref="WaitForDataAsync"/>.
    /// </returns>
    public virtual bool? TryWaitForData(IThreadPoolWorkItem reader) => null;

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
    /// Tells the peer that no more bytes follow (FIN), after the bytes that were sent. Receiving still works. Do not call it while a send
    /// is under way.
    /// </summary>
    public abstract void Shutdown();

    /// <summary>Whether <see cref="Shutdown(CloseReason)"/> tells the peer the reason.</summary>
    internal virtual bool TellsReason => false;

    /// <summary>Does the same as <see cref="Shutdown()"/>, with a reason that some links can tell the peer.</summary>
    internal virtual void Shutdown(CloseReason reason) => Shutdown();

    /// <summary>
    /// Takes the reason for which the peer must be closed, because it has broken a rule of the link itself; <see cref="CloseReason.None"/>
    /// if it has not, or the reason was taken before. Called where a receive returned <see cref="NothingYet"/>.
    /// </summary>
    internal virtual CloseReason TakeViolation() => CloseReason.None;

    /// <summary>
    /// Receives of less than 15 KB in a row that may complete at once before the reader gives way to other connections. With 0 it gives way
    /// after each of them, even one that it has waited for. 16.
    /// </summary>
    internal virtual int MaxSynchronousReceives => 16;

    /// <summary>
    /// Whether a receive brings one record at most, so that messages that came together take several receives. Answers to full records
    /// may then wait until the reader's turn ends, and leave in one send.
    /// </summary>
    internal virtual bool BringsRecords => false;

    /// <summary>
    /// What the link has received of a message that is not whole, in bytes: at least 1, and 0 between messages. Together with a frame
    /// that is not whole it must come within <see cref="Connections.ConnectionOptions.FrameTimeout"/>.
    /// </summary>
    internal virtual int UnfinishedBytes => 0;

    /// <summary>
    /// Takes the number of bytes that were received since the last call and were no content, so that they count for the receive budget.
    /// </summary>
    internal virtual int TakeOverheadBytes() => 0;

    /// <summary>
    /// Ends the link now: operations under way complete as ended, and the peer of a TCP link sees a reset. Thread-safe; repeated calls do
    /// nothing.
    /// </summary>
    public abstract void Abort();

    /// <summary>Says why a link with a socket error ended. Every transport over sockets uses it, so that close reasons agree.</summary>
    /// <param name="error">The error of a send or receive; <see cref="SocketError.Success"/> for an orderly end.</param>
    /// <remarks>
    /// A reset is ConnectionReset on every system. A write after a reset is Shutdown on Unix (EPIPE) and ConnectionAborted on Windows. A
    /// peer that vanished is TimedOut, when the retransmissions ran out, or one of the unreachable errors. OperationAborted, Interrupted
    /// and NotSocket mean that this side closed the socket.
    /// </remarks>
    public static CloseReason ToCloseReason(SocketError error) => SocketErrors.ToCloseReason(error);

    /// <summary>Frees the link, without the reset of <see cref="Abort"/>. Only when no receive or send is under way.</summary>
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
