namespace PlayChat.Core.Transport;

/// <summary>
/// Counts the links of a server from their accept until they are disposed: all of them, and those of each network. Thread-safe.
/// </summary>
internal sealed class LinkLedger
{
    private readonly NetworkQuota _places = new();
    private int _links;

    /// <summary>The number of links that are accepted and not disposed.</summary>
    internal int Links => Volatile.Read(ref _links);

    /// <summary>Adds an accepted link, unless there are too many of them. Its disposal removes it.</summary>
    /// <returns>
    /// <see cref="CloseReason.None"/>; <see cref="CloseReason.AddressFull"/> for a link that is added only to be told so, and counts for
    /// no network; or <see cref="CloseReason.ServerFull"/> for a link that is not added.
    /// </returns>
    internal CloseReason Add(TransportConnection link, PeerNetwork network, int maxLinks, int maxPerNetwork)
    {
        if (Interlocked.Increment(ref _links) > maxLinks)
        {
            Interlocked.Decrement(ref _links);
            return CloseReason.ServerFull;
        }

        CloseReason refusal = _places.TryEnter(network, maxPerNetwork) ? CloseReason.None : CloseReason.AddressFull;
        link.Enter(this, network, refusal);
        return refusal;
    }

    /// <summary>Removes a link. Only a link that is being disposed calls it, once.</summary>
    internal void Remove(PeerNetwork network, CloseReason refusal)
    {
        Interlocked.Decrement(ref _links);
        if (refusal == CloseReason.None)
        {
            _places.Leave(network);
        }
    }
}
