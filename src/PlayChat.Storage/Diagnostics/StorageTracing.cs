using System.Diagnostics;

namespace PlayChat.Storage.Diagnostics;

/// <summary>The spans of the chat log, as activities of <see cref="ActivitySource"/>. Without a listener nothing is made.</summary>
/// <remarks>
/// A record that is appended within a recorded span gets a span <c>store</c> for each sink, from its acceptance to the end of the write,
/// with the tags <c>playchat.sink</c> and <c>playchat.batch.records</c>.
/// </remarks>
public static class StorageTracing
{
    /// <summary>The name of the source: <c>PlayChat.Storage</c>.</summary>
    public const string SourceName = "PlayChat.Storage";

    private static readonly ActivitySource s_source = new(SourceName);

    /// <summary>The recorded span of the running code; <see langword="null"/> without a listener.</summary>
    internal static RecordTrace? Current() => s_source.HasListeners() && Activity.Current is { Recorded: true } current
        ? new RecordTrace(current.Context, DateTimeOffset.UtcNow)
        : null;

    /// <summary>Writes the spans of records that a sink has written.</summary>
    internal static void NoteStored(IReadOnlyList<RecordTrace> traces, string sink, int records)
    {
        Activity? before = Activity.Current;
        foreach (RecordTrace trace in traces)
        {
            using Activity? span = s_source.StartActivity("store", ActivityKind.Client, trace.Parent, startTime: trace.Accepted);
            span?.SetTag("playchat.sink", sink);
            span?.SetTag("playchat.batch.records", records);
        }

        Activity.Current = before;
    }
}
