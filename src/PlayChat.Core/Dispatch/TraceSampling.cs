namespace PlayChat.Core.Dispatch;

/// <summary>Decides which packets are traced, and begins their spans. Thread-safe.</summary>
internal sealed class TraceSampling
{
    /// <summary>See <see cref="PacketRouter.TraceOneIn"/>.</summary>
    internal int OneIn { get; set; } = 1;

    /// <summary>See <see cref="PacketRouter.ContinueTraces"/>.</summary>
    internal bool Continues { get; set; }

    /// <summary>Begins the span of a packet's handler and makes it the current one.</summary>
    /// <returns><see langword="null"/> for a packet that is not traced.</returns>
    internal Activity? Begin(string packetName, object? message, long connectionId)
    {
        ActivityContext parent = default;
        bool hasParent = Continues
            && message is ITracedMessage { TraceParent.Length: > 0 } traced
            && ActivityContext.TryParse(traced.TraceParent, traceState: null, isRemote: true, out parent)
            && parent.TraceFlags.HasFlag(ActivityTraceFlags.Recorded);
        if (!hasParent && OneIn > 1 && Random.Shared.Next(OneIn) != 0)
        {
            return null;
        }

        Activity.Current = null; // a span that the receive loop happened to begin in is no parent
        Activity? span = PlayChatTracing.Source.StartActivity(packetName, ActivityKind.Server, hasParent ? parent : default);
        span?.SetTag("playchat.connection.id", connectionId);
        return span;
    }
}
