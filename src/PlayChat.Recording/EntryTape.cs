using System.Runtime.InteropServices;

namespace PlayChat.Recording;

/// <summary>Describes what a room sends as entries: the recorder writes them, and the replay compares them with those of the
/// recording.</summary>
/// <param name="redaction">What is not recorded.</param>
/// <param name="hasBodies">Whether the entries have the content of frames.</param>
internal abstract class EntryTape(Redaction redaction, bool hasBodies) : RoomTape
{
    /// <summary>What the recipients of a broadcast begin with; the session that is left out may follow.</summary>
    internal const int Everyone = 0;

    private const int StackSessions = 64;

    protected Redaction Redaction => redaction;

    internal sealed override void Sent(
        FrameHeader header, ReadOnlySpan<byte> body, ReadOnlySpan<Session> to, bool isBroadcast, Session? except)
    {
        Span<int> recipients = to.Length <= StackSessions - 2 ? stackalloc int[StackSessions] : new int[to.Length];
        int count = 0;
        if (isBroadcast)
        {
            recipients[count++] = Everyone;
        }

        foreach (Session session in except is null ? to : new ReadOnlySpan<Session>(in except))
        {
            recipients[count++] = NumberOf(session);
        }

        int recipientsText = NumberOf(MemoryMarshal.AsBytes(recipients[..count]));
        Redaction.TryApply(header.PacketId, ref body);
        Output(
            EntryKind.Sent,
            [header.PacketId, header.RequestId, header.SenderId, recipientsText, body.Length, RecordingFormat.Checksum(body)],
            hasBodies ? body : default);
    }

    internal override void Failed(Exception exception) => Output(EntryKind.Failed, [NumberOf(exception.GetType().FullName!)], default);

    protected int NumberOf(string text) => NumberOf(Encoding.UTF8.GetBytes(text));

    /// <returns>The number of the session, from 1.</returns>
    protected abstract int NumberOf(Session session);

    /// <returns>The number of the text.</returns>
    protected abstract int NumberOf(ReadOnlySpan<byte> text);

    /// <summary>The room has sent a frame, or its code has failed.</summary>
    protected abstract void Output(EntryKind kind, ReadOnlySpan<long> numbers, ReadOnlySpan<byte> content);
}
