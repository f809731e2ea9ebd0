namespace PlayChat.Core.Diagnostics;

/// <summary>The spans of a server, as activities of <see cref="ActivitySource"/>. Without a listener nothing is made.</summary>
/// <remarks>
/// <para>
/// A trace begins with a packet: the span of its handler has the packet's name. A job that the handler posts to a room continues the
/// trace in the room's turn (<c>room turn</c>), and the flush of what it has sent is <c>deliver</c>. A job that sends nothing has no
/// <c>deliver</c>; a room that sends later for it calls <c>Room.ContinueTrace</c>. The tags are
/// <c>playchat.connection.id</c>, <c>playchat.room.id</c>, <c>playchat.room.queue_time</c> (seconds) and <c>playchat.room.members</c>.
/// </para>
/// <para>
/// <c>PacketRouter.TraceOneIn</c> chooses how many packets begin a trace, before anything is allocated.
/// </para>
/// </remarks>
public static class PlayChatTracing
{
    /// <summary>The name of the source: <c>PlayChat.Core</c>.</summary>
    public const string SourceName = "PlayChat.Core";

    internal static readonly ActivitySource Source = new(SourceName);

    /// <summary>Whether a listener has subscribed. Hot paths ask this first.</summary>
    internal static bool IsOn => Source.HasListeners();

    /// <summary>The span of the running code if it is recorded; asks nothing more without a listener.</summary>
    internal static Activity? Recorded => IsOn && Activity.Current is { Recorded: true } current ? current : null;
}
