namespace PlayChat.Core.Hosting;

/// <summary>Decides about each accepted link, before its TLS handshake and before anything is made for it. Thread-safe.</summary>
/// <remarks>
/// The options are read for each link, so they may change while the server runs. A link is counted until it is disposed, whatever becomes
/// of it, so every place is given back once.
/// </remarks>
internal sealed class Admission(ConnectionOptions options, LinkBudget budget, ServerMetrics metrics, TimeProvider time, RefusalLog log)
{
    private readonly LinkLedger _ledger = new();
    private readonly NetworkRate _accepts = new(time.TimestampFrequency);

    /// <summary>The number of links that are accepted and not disposed.</summary>
    internal int Links => _ledger.Links;

    /// <summary>Whether there is room for so many more links, beside those that are counted.</summary>
    internal bool HasRoomFor(int links) => _ledger.Links + links <= budget.MaxLinks;

    /// <summary>Lets a link in, or refuses it.</summary>
    /// <param name="link">The link. It may say by now that its peer is another one than that of its socket.</param>
    /// <param name="canTell">Whether a refused peer can be told at once, without a handshake.</param>
    /// <returns>
    /// <see langword="false"/> if the link was refused and disposed. A link that stays may have a
    /// <see cref="TransportConnection.Refusal"/>: its peer is then told, and the connection closed.
    /// </returns>
    internal bool TryEnter(TransportConnection link, bool canTell)
    {
        PeerNetwork network = PeerNetwork.Of(link.RemoteEndPoint) ?? default;
        bool isLimited = !network.IsLoopback || options.LimitsLoopback;
        int perNetwork = isLimited ? options.PerNetwork(Math.Min(options.MaxConnections, budget.MaxConnections)) : int.MaxValue;
        int perSecond = isLimited ? options.AcceptsPerSecondPerAddress : 0;
        CloseReason refusal;
        if (perSecond > 0 && !_accepts.TryTake(network, perSecond, Math.Max(perSecond, perNetwork), time.GetTimestamp()))
        {
            refusal = CloseReason.RateLimited;
        }
        else
        {
            refusal = _ledger.Add(link, network, budget.MaxLinks, perNetwork);
            if (refusal == CloseReason.None || (refusal == CloseReason.AddressFull && canTell))
            {
                return true;
            }
        }

        log.Refused(link.RemoteEndPoint, refusal);
        metrics.Add(Counter.ConnectionsRefused);
        link.Abort();
        link.Dispose();
        return false;
    }
}
