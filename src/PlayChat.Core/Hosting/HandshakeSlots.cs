namespace PlayChat.Core.Hosting;

/// <summary>Shares the handshakes that an endpoint runs at once among the networks that ask for them.</summary>
/// <remarks>
/// A network holds at most so many slots. When all slots are in use, a newcomer takes one from a network that holds more than its own. Of
/// the networks that hold most it takes the oldest handshake that has sent nothing or, if they hold at least two more than the newcomer's
/// network, the oldest one. Otherwise the newcomer is refused. So silent links from a few networks cannot lock out the others. Thread-safe.
/// </remarks>
/// <param name="limits">How many slots there are, and how many a network may hold. Read for each handshake, so they may change.</param>
/// <param name="connections">
/// Whether the second limit holds for this machine, where load generators and proxies share an address. Read each time as well.
/// </param>
internal sealed class HandshakeSlots(TlsOptions limits, ConnectionOptions connections)
{
    private readonly LinkedList<Handshake> _handshakes = new(); // oldest first; guarded by itself, like all below
    private readonly Dictionary<PeerNetwork, NetworkShare> _shares = [];

    /// <summary>The handshakes under way.</summary>
    internal int Count
    {
        get
        {
            lock (_handshakes)
            {
                return _handshakes.Count;
            }
        }
    }

    /// <summary>Takes a slot.</summary>
    /// <param name="newcomer">Holds none yet.</param>
    /// <param name="displaced">The handshake that has lost its slot to the newcomer, if any. The caller ends its link.</param>
    /// <returns><see cref="CloseReason.None"/>, or why the newcomer is refused.</returns>
    internal CloseReason Take(Handshake newcomer, out Handshake? displaced)
    {
        displaced = null;
        lock (_handshakes)
        {
            int held = HeldBy(newcomer.Network);
            if (IsFull(newcomer.Network, held))
            {
                return CloseReason.AddressFull;
            }

            if (_handshakes.Count >= limits.MaxHandshakes)
            {
                displaced = FindVictim(held);
                if (displaced is null)
                {
                    return CloseReason.ServerFull;
                }

                displaced.IsDisplaced = true; // before the caller ends its link, which ends its handshake
                Remove(displaced);
            }

            newcomer.Slot = _handshakes.AddLast(newcomer);
            Join(newcomer);
            return CloseReason.None;
        }
    }

    /// <summary>Counts a handshake for another network, because a proxy has told where the peer is.</summary>
    /// <returns><see langword="false"/> when that network holds as many slots as it may.</returns>
    internal bool TryMove(Handshake handshake, PeerNetwork? network)
    {
        lock (_handshakes)
        {
            if (IsFull(network, HeldBy(network)))
            {
                return false;
            }

            Leave(handshake);
            handshake.Network = network;
            Join(handshake);
            return true;
        }
    }

    /// <summary>Gives the slot back, unless it is lost already.</summary>
    internal void Release(Handshake handshake)
    {
        lock (_handshakes)
        {
            if (handshake.Slot is not null)
            {
                Remove(handshake);
            }
        }
    }

    private int HeldBy(PeerNetwork? network) =>
        network is { } known && _shares.TryGetValue(known, out NetworkShare? share) ? share.Held : 0;

    private bool IsFull(PeerNetwork? network, int held) =>
        held >= limits.MaxHandshakesPerAddress && network is { } known && (connections.LimitsLoopback || !known.IsLoopback);

    // Looks at every handshake. For 1,000 of them that takes microseconds, and only while all slots are in use.
    private Handshake? FindVictim(int held)
    {
        Handshake? silent = null;
        Handshake? oldest = null;
        int mostSilent = held;
        int most = held + 1;
        foreach (Handshake handshake in _handshakes)
        {
            int share = handshake.Share?.Held ?? 0;
            if (share > most)
            {
                (most, oldest) = (share, handshake);
            }

            if (share > mostSilent && !handshake.HasSpoken)
            {
                (mostSilent, silent) = (share, handshake);
            }
        }

        // A network whose handshakes have all spoken keeps them from one that holds about as many, and not from others.
        return mostSilent >= most ? silent : oldest ?? silent;
    }

    private void Remove(Handshake handshake)
    {
        _handshakes.Remove(handshake.Slot!);
        handshake.Slot = null;
        Leave(handshake);
    }

    private void Join(Handshake handshake)
    {
        if (handshake.Network is not { } network)
        {
            return;
        }

        if (!_shares.TryGetValue(network, out NetworkShare? share))
        {
            _shares.Add(network, share = new NetworkShare());
        }

        share.Held++;
        handshake.Share = share;
    }

    private void Leave(Handshake handshake)
    {
        if (handshake.Share is { } share && --share.Held == 0)
        {
            _shares.Remove(handshake.Network!.Value);
        }

        handshake.Share = null;
    }

    internal sealed class NetworkShare
    {
        internal int Held { get; set; }
    }
}
