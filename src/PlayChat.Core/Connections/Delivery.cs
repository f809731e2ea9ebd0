namespace PlayChat.Core.Connections;

/// <summary>What a peer that reads too slowly may lose of what is sent: the class of a frame.</summary>
/// <remarks>
/// It matters only while a send to the peer is under way. With nothing under way every frame goes out in order, whatever its class. The
/// default
/// value is <see cref="Reliable"/>.
/// </remarks>
public readonly record struct Delivery
{
    private readonly DeliveryKind _kind;

    private Delivery(DeliveryKind kind, long key = 0)
    {
        _kind = kind;
        Key = key;
    }

    /// <summary>
    /// Nothing is lost: the frame goes out behind those before it, or <see cref="ConnectionOptions.SlowConsumer"/> acts. The default.
    /// </summary>
    public static Delivery Reliable => default;

    /// <summary>
    /// Dropped, and counted, when a send is under way and more than a sixteenth of <see cref="ConnectionOptions.MaxOutboundBytes"/> waits
    /// for the peer, or when it does not fit; otherwise in order like any other. For what is worthless when it comes late: an effect, a
    /// sound.
    /// </summary>
    public static Delivery DropIfBehind { get; } = new(DeliveryKind.DropIfBehind);

    internal bool IsReliable => _kind == DeliveryKind.Reliable;

    internal bool IsLatestOnly => _kind == DeliveryKind.LatestOnly;

    /// <summary>Of <see cref="LatestOnly"/>.</summary>
    internal long Key { get; }

    /// <summary>
    /// A newer frame of the same key to the same peer replaces one that still waits, which is then counted as replaced and its memory given
    /// back. For state
    /// of which only the newest counts: a position.
    /// </summary>
    /// <param name="key">Which state; the application's own numbers, one space a connection. Each waits at most once.</param>
    /// <remarks>
    /// While a send to the peer is under way the frame waits beside the queue, and goes with the next send, behind what is queued: its
    /// order among reliable frames, and among other keys, is not promised then. Its bytes count to
    /// <see cref="ConnectionOptions.MaxOutboundBytes"/>; what does not fit, the replaced one given back, is refused like any frame.
    /// </remarks>
    public static Delivery LatestOnly(long key) => new(DeliveryKind.LatestOnly, key);

    private enum DeliveryKind : byte
    {
        Reliable,
        LatestOnly,
        DropIfBehind,
    }
}
