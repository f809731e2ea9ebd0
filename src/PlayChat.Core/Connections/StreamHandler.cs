using System.IO.Pipelines;

namespace PlayChat.Core.Connections;

/// <summary>Handles a connection as a stream of bytes, from its first byte to its end.</summary>
/// <param name="connection">The connection. Its <c>Send</c> and its rooms reach no peer: they return <see langword="false"/>.</param>
/// <param name="pipe">
/// <para>
/// The bytes of the connection. The input completes when the peer has sent its last byte (FIN); the output still works then. Complete the
/// output to send a FIN and read on. When the link breaks, a read throws <see cref="ConnectionClosedException"/>, and a flush returns
/// <see cref="FlushResult.IsCompleted"/>.
/// </para>
/// <para>
/// A flush waits while the peer has not taken 64 KB (or <see cref="ConnectionOptions.MaxOutboundBytes"/>, if that is less), and nothing is
/// received while the handler has not read 64 KB. The handler may leave both halves open or complete them. Use nothing of the pipe after
/// the handler's task has completed.
/// </para>
/// </param>
/// <param name="cancellationToken">
/// Cancelled when the connection closes or is aborted, or the server stops. After a close the handler may still read and write until
/// <see cref="ConnectionOptions.CloseTimeout"/>, and after a stop of the server until its <c>StopTimeout</c>; then the link is aborted.
/// </param>
/// <remarks>
/// Runs on the thread pool. When its task has completed, what it has written is sent, and the connection closes as
/// <see cref="CloseReason.PeerClosed"/> if the peer had sent its FIN, otherwise as <see cref="CloseReason.LocalClose"/>. When it throws,
/// the exception is logged and counted, and the connection closes as <see cref="CloseReason.HandlerFault"/>; its own cancelled token and
/// the end of its own connection are no faults.
/// </remarks>
public delegate Task StreamHandler(Connection connection, IDuplexPipe pipe, CancellationToken cancellationToken);
