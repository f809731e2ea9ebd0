using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Core.Packets;
using PlayChat.Recording;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Reads what happened in a recorded room from its file. The room does not run.</summary>
internal static class RecordingReader
{
    private const int MaxContentChars = 4096;

    public static IReadOnlyList<string> Kinds { get; } =
        ["join", "leave", "away", "return", "end", "packet", "job", "timer", "tick", "command", "draws", "sent", "exception"];

    /// <summary>Reads a page; for that it reads the file from its beginning.</summary>
    /// <exception cref="InvalidDataException">The file is no recording, is damaged, or a newer version wrote it.</exception>
    public static RecordingEvents Read(
        Stream stream, PacketSet packets, ListQuery query, IReadOnlyCollection<string>? kinds, CancellationToken cancellationToken)
    {
        using var file = new RecordingFile(stream);
        var words = new EntryText(packets);
        var redaction = new Redaction(packets);
        List<RecordingEvent> events = []; // one more than the page has, if there is one
        (long number, long turn, long tick) = (0, 0, 0);
        while (events.Count <= query.Limit && file.ReadTurn() is { } timestamp)
        {
            cancellationToken.ThrowIfCancellationRequested();
            for (turn++; events.Count <= query.Limit && file.Next != EntryKind.None;)
            {
                Entry entry = file.Read();
                words.Define(entry);
                tick = entry.Kind == EntryKind.Tick ? entry.Numbers[0] : tick;
                if (KindOf(entry) is { } kind && ++number > query.After && kinds?.Contains(kind, StringComparer.Ordinal) != false
                    && words.Describe(entry) is var text && text.Contains(query.Text ?? "", StringComparison.OrdinalIgnoreCase))
                {
                    double seconds = TimeSpan.FromTicks(timestamp - file.Header.Timestamp).TotalSeconds;
                    string? content = ContentOf(entry, words.PacketOf(entry), redaction);
                    events.Add(new RecordingEvent(number, seconds, turn, tick, kind, words.WhoDid(entry), text, content));
                }
            }
        }

        bool hasMore = events.Count > query.Limit;
        RecordingHeader header = file.Header;
        return new RecordingEvents(
            header.Settings.Name, header.RoomType, header.StartedAt,
            header.Resumed?.Members.Select(static member => EntryText.Who(member.Session, member.UserName)).ToArray(),
            header.Packets == RecordingHeader.FingerprintOf(packets),
            hasMore ? events[..^1] : events, hasMore ? events[^2].Number : null, hasMore ? null : file.End.ToString());
    }

    private static string? KindOf(Entry entry) => entry.Kind switch
    {
        EntryKind.Changed when entry.Numbers[1] != 0 => "end",
        EntryKind.Changed => entry.Numbers[2] != 0 ? "away" : "return",
        EntryKind.LinkChanged => entry.Numbers[1] != 0 ? "away" : "return",
        EntryKind.Frame => "packet",
        EntryKind.Code => "job",
        EntryKind.Drawn => "draws",
        EntryKind.Failed => "exception",
        _ => Kinds.FirstOrDefault(kind => kind.Equals(entry.Kind.ToString(), StringComparison.OrdinalIgnoreCase)),
    };

    private static string? ContentOf(Entry entry, PacketType? packet, Redaction redaction)
    {
        ReadOnlySpan<byte> body = entry.Content;
        if (!redaction.TryApply(packet?.Id, ref body) || body.IsEmpty) // a packet may be marked since it was recorded
        {
            return null;
        }

        string content = string.Join('\n', FrameText.LinesOf(packet, body));
        return content.Length <= MaxContentChars ? content : content[..MaxContentChars] + "…";
    }
}
