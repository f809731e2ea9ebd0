namespace PlayChat.Core.Hosting;

/// <summary>
/// One accepted link that is not a connection yet: its PROXY header, its TLS handshake or its upgrade to WebSocket is under way. As a work
/// item it runs when its first byte is there.
/// </summary>
/// <param name="link">Owned by the endpoint until the handshake ends.</param>
/// <param name="network">Where it comes from; <see langword="null"/> while that is unknown.</param>
internal sealed class Handshake(TransportConnection link, PeerNetwork? network) : IThreadPoolWorkItem
{
    private volatile bool _hasSpoken;
    private volatile bool _isDisplaced;

    internal TransportConnection Link => link;

    /// <summary>The link once the client that a proxy has named was let in: only its disposal gives the client's place back.</summary>
    internal TransportConnection? Admitted { get; set; }

    /// <summary>Does the work of <see cref="IThreadPoolWorkItem.Execute"/>.</summary>
    internal Action<Handshake>? Run { get; init; }

    /// <summary>Bounds its time; <see langword="null"/> while a proxy's header is read, which has a time of its own.</summary>
    internal HandshakeDeadline? Deadline { get; set; }

    /// <summary>The network that the slot counts for. Guarded by <see cref="HandshakeSlots"/>.</summary>
    internal PeerNetwork? Network { get; set; } = network;

    /// <summary>What its network holds. Guarded by <see cref="HandshakeSlots"/>.</summary>
    internal HandshakeSlots.NetworkShare? Share { get; set; }

    /// <summary>Its slot; <see langword="null"/> while it holds none. Guarded by <see cref="HandshakeSlots"/>.</summary>
    internal LinkedListNode<Handshake>? Slot { get; set; }

    /// <summary>Whether the peer has sent a byte. A peer that has not is the first to lose its slot.</summary>
    internal bool HasSpoken
    {
        get => _hasSpoken;
        set => _hasSpoken = value;
    }

    /// <summary>Whether it has lost its slot to a handshake of another network, where it was counted as refused.</summary>
    internal bool IsDisplaced
    {
        get => _isDisplaced;
        set => _isDisplaced = value;
    }

    void IThreadPoolWorkItem.Execute() => Run?.Invoke(this);
}
