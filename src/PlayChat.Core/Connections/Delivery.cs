namespace PlayChat.Core.Connections;

/// <summary>The delivery class of a frame: whether the server may drop or replace it when the peer reads too slowly.</summary>
/// <remarks>
/// The class matters only while a send to the peer is under way. Otherwise every frame is sent in order, regardless of its class. The
/// default value is <see cref="Reliable"/>.
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
    /// Never drops the frame: it is sent after the frames queued before it. When the queue is full, the policy in
    /// <see cref="ConnectionOptions.SlowConsumer"/> applies. This is the default.
    /// </summary>
    public static Delivery Reliable => default;

    /// <summary>
    /// Drops and counts the frame when a send is under way and more than a sixteenth of
    /// <see cref="ConnectionOptions.MaxOutboundBytes"/> is queued for the peer, or when the frame does not fit into the queue. Otherwise
    /// the frame is sent in order. Use it for messages that are worthless when they arrive late, such as an effect or a sound.
    /// </summary>
    public static Delivery DropIfBehind { get; } = new(DeliveryKind.DropIfBehind);

    internal bool IsReliable => _kind == DeliveryKind.Reliable;

    internal bool IsLatestOnly => _kind == DeliveryKind.LatestOnly;

    /// <summary>The key that was passed to <see cref="LatestOnly"/>.</summary>
    internal long Key { get; }

    /// <summary>
    /// Replaces a waiting frame with the same key to the same peer. The older frame is counted as replaced and its memory is released. Use
    /// it for state of which only the newest value counts, such as a position.
    /// </summary>
    /// <param name="key">The number of the state, chosen by the application. At most one frame of each key waits for a connection.</param>
    /// <remarks>
    /// While a send to the peer is under way, the frame waits beside the queue and goes with the next send, after the queued frames. Its
    /// order among reliable frames and other keys is then not guaranteed. Its bytes count towards
    /// <see cref="ConnectionOptions.MaxOutboundBytes"/>. If it does not fit even in place of the older frame, it is refused like any frame.
    /// </remarks>
    public static Delivery LatestOnly(long key) => new(DeliveryKind.LatestOnly, key);

    private enum DeliveryKind : byte
    {
        Reliable,
        LatestOnly,
        DropIfBehind,
    }
}
