using System.Diagnostics;

namespace PlayChat.Protocol;

/// <summary>
/// The spans of clients, as activities of <see cref="ActivitySource"/>: <c>chat</c> for each message that a client says, with the tag
/// <c>playchat.room.id</c>. Without a listener nothing is made.
/// </summary>
/// <remarks>A server continues the trace if it was told to (<c>Telemetry:Otlp:ContinueTraces</c>).</remarks>
public static class ChatTracing
{
    /// <summary>The name of the source: <c>PlayChat.Protocol</c>.</summary>
    public const string SourceName = "PlayChat.Protocol";

    private static readonly ActivitySource s_source = new(SourceName);

    internal static Activity? Begin(long roomId)
    {
        Activity? span = s_source.StartActivity("chat", ActivityKind.Client);
        span?.SetTag("playchat.room.id", roomId);
        return span;
    }
}
