using PlayChat.Core;
using PlayChat.Core.Connections;

namespace PlayChat.Protocol;

/// <summary>
/// Notices a link that is dead without having ended, by its silence: it asks the server, and aborts the connection when no answer comes.
/// </summary>
/// <remarks>
/// A timer looks once each period. After a period of silence it sends an echo; after another one it aborts the connection, which the client
/// then treats like any break. <see cref="Heard"/> may be called by any thread, the other methods by one at a time.
/// </remarks>
/// <param name="pending">Where the probe waits for its answer, and which connection is current.</param>
/// <param name="period">The silence that counts; infinite turns the probe off.</param>
/// <param name="time">The clock of the timer.</param>
internal sealed class SilenceProbe(PendingRequests pending, TimeSpan period, TimeProvider time) : IDisposable
{
    private ITimer? _timer;
    private volatile bool _heard;
    private ushort _probeId; // the timer's; 0 when no probe is out

    /// <summary>Starts to look; does nothing when it has started before.</summary>
    public void Start()
    {
        if (_timer is null && period != Timeout.InfiniteTimeSpan)
        {
            _timer = time.CreateTimer(static probe => ((SilenceProbe)probe!).Look(), this, period, period);
        }
    }

    /// <summary>The server has sent something.</summary>
    public void Heard() => _heard = true;

    public void Dispose() => _timer?.Dispose();

    private void Look()
    {
        ushort asked = _probeId;
        _probeId = 0;
        if (asked != 0)
        {
            pending.Remove(asked);
        }

        bool heard = _heard;
        _heard = false;
        if (heard || pending.Connection is not { } connection)
        {
            return;
        }

        if (asked != 0)
        {
            connection.Abort(CloseReason.IdleTimeout);
            return;
        }

        try
        {
            var probe = new PendingRequest<CEchoReq, SEchoRes>(ChatPackets.CEchoReq, new CEchoReq());
            _probeId = pending.AddSent(probe);
            probe.Send(connection, _probeId);
        }
        catch (ChatConnectionClosedException)
        {
            // The session has ended meanwhile: there is nothing left to watch.
        }
    }
}
