using PlayChat.Core;
using PlayChat.Core.Transport;

namespace PlayChat.Protocol;

/// <summary>When a client tries to reconnect, and how long it waits before each attempt.</summary>
internal sealed class ReconnectPolicy(ChatClientOptions options)
{
    /// <summary>
    /// Whether a connection that ended for this reason has broken. One that either side ended on purpose is not made again.
    /// </summary>
    public static bool IsBreak(CloseReason reason) => reason is CloseReason.PeerClosed or CloseReason.PeerReset or CloseReason.SlowConsumer
        or CloseReason.IdleTimeout or CloseReason.HandlerFault or CloseReason.TransportFault or CloseReason.TlsFailed;

    /// <summary>Whether the next attempt may succeed although this one failed.</summary>
    public static bool MayPass(Exception exception) => exception switch
    {
        ConnectFailedException or TimeoutException => true,
        ChatConnectionClosedException closed =>
            IsBreak(closed.Reason) || closed.Reason is CloseReason.ServerFull or CloseReason.AddressFull or CloseReason.LoginTimeout,
        ChatErrorException refused => refused.Code is ErrorCode.ServerBusy or ErrorCode.StorageUnavailable or ErrorCode.Internal,
        _ => false,
    };

    /// <param name="attempt">From 1 on.</param>
    public TimeSpan DelayBefore(int attempt)
    {
        double full = Math.Min(
            options.MaxReconnectDelay.TotalMilliseconds, options.ReconnectDelay.TotalMilliseconds * Math.Pow(2, attempt - 1));
#pragma warning disable CA5394 // spreads the clients that one fault has cut off at the same moment; it need not be secret
        return TimeSpan.FromMilliseconds(full * (0.5 + (Random.Shared.NextDouble() / 2)));
#pragma warning restore CA5394
    }
}
