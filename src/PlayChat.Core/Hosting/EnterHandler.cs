using PlayChat.Core.Connections;

namespace PlayChat.Core.Hosting;

/// <summary>
/// Makes a new connection of a <see cref="ReconnectingConnection"/> usable: logs in at first, and resumes after a break.
/// </summary>
/// <remarks>
/// Runs on the thread pool, while frames already arrive; one call at a time. To give an attempt up, throw: the connection is then
/// aborted. Of a first connection, the exception reaches the caller of <c>ConnectLastingAsync</c>. After a break,
/// <see cref="ReconnectOptions.MayPass"/> says whether another attempt follows or the exception is the end.
/// </remarks>
/// <param name="connection">The new connection, not yet <see cref="ReconnectingConnection.Current"/>.</param>
/// <param name="attempt">The attempt to return after a break; <see langword="null"/> for the first connection.</param>
/// <param name="cancellationToken">
/// Cancelled when the connection ends or the attempt is given up. It has no time limit: bound your own waits.
/// </param>
public delegate ValueTask EnterHandler(Connection connection, ReconnectAttempt? attempt, CancellationToken cancellationToken);
