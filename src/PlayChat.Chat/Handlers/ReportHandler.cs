using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_REPORT_REQ: a player reports a message. The store has the report before the moderators hear of it.</summary>
internal sealed class ReportHandler(
    PlayChatServer server, IChatStore store, HistoryReader history, PlayerLimits limits, TimeProvider time, ILogger<ReportHandler> logger)
    : IPacketHandler<CReportReq>
{
    public async ValueTask HandleAsync(PacketContext context, CReportReq message, CancellationToken cancellationToken)
    {
        if (message.Reason.Length == 0 || !ChatText.IsShown(message.Reason, ChatLimits.MaxReportBytes))
        {
            context.Fail(
                ErrorCode.TextInvalid, $"A reason has 1 to {ChatLimits.MaxReportBytes} bytes that can be seen. Say what is wrong with it.");
        }
        else if (limits.TryTakePage(context) && context.TryFindRoom(server, message.RoomId, out ChatRoom? room))
        {
            await context.UseStoreAsync(room.Id, "Reports", logger, () => ReportAsync(context, room, message, cancellationToken));
        }
    }

    private async Task ReportAsync(PacketContext context, ChatRoom room, CReportReq message, CancellationToken cancellationToken)
    {
        SessionUser reporter = context.Session.User!;
        long sequence = message.Sequence;
        if (await ReadAsync(context.Session, room, sequence, cancellationToken) is not { } lines)
        {
            context.Fail(ErrorCode.NotInRoom, Answers.NotInRoom(room.Id));
            return;
        }

        if (lines.Find(line => line.Sequence == sequence) is not { PlayerId: not 0, Deleted: false } reported)
        {
            context.Fail(ErrorCode.MessageNotFound, "There is no such message, or it was deleted. Report another one.");
            return;
        }

        if (reported.PlayerId == reporter.Id)
        {
            context.Fail(ErrorCode.Forbidden, "This message is your own. Delete it, if it should go.");
            return;
        }

        if (!limits.TryTakeReport(context))
        {
            return;
        }

        var report = new MessageReport(
            room.Id,
            room.Name,
            sequence,
            reporter.Id,
            reporter.Name,
            message.Reason,
            time.GetUtcNow(),
            [
                .. lines.Select(static line => new ChatRecord(
                    line.RoomId,
                    line.Sequence,
                    line.PlayerId,
                    line.PlayerName,
                    line.Text,
                    DateTimeOffset.FromUnixTimeMilliseconds(line.SentAtUnixMs))),
            ]);
        if (await store.Reports.AddAsync(report, ChatLimits.MaxRoomReports, CancellationToken.None) is not var (id, isNew))
        {
            context.Fail(
                ErrorCode.ServerFull,
                $"The room has {ChatLimits.MaxRoomReports} open reports, the most that it may. Ask its moderators to resolve some.");
            return;
        }

        context.Answer(ChatPackets.SReportRes, new SReportRes { ReportId = id });
        if (isNew)
        {
            AuditLog.Reported(logger, reporter.Id, context.Session.Id, sequence, reported.PlayerId, room.Id, id);
            Report told = Describe(report with { Id = id, Lines = [] });
            await room.AskAsync(asked => asked.Moderation.TryReport(told, context.Session), CancellationToken.None);
        }
    }

    /// <summary>Reads a message with its neighbours; <see langword="null"/> for a session that is no member.</summary>
    private async Task<List<SRoomChatNtf>?> ReadAsync(
        Session session, ChatRoom room, long sequence, CancellationToken cancellationToken)
    {
        const int Before = ChatLimits.ReportedNeighbours + 1; // the message is one of them
        if (sequence is <= 0 or long.MaxValue)
        {
            return await room.HasMemberAsync(session, cancellationToken) ? [] : null;
        }

        return await room.ReadRecentAsync(session, false, sequence + 1, Before, history.PageBytes, cancellationToken) is { } early
            && await room.ReadRecentAsync(session, true, sequence, Before - 1, history.PageBytes, cancellationToken) is { } late
            ?
            [
                .. (await history.ReadBeforeAsync(room.Id, sequence + 1, Before, early, session.User!.Id, cancellationToken)).Messages,
                .. (await history.ReadAfterAsync(room.Id, sequence, Before - 1, late, session.User!.Id, cancellationToken)).Messages,
            ]
            : null;
    }

    /// <summary>A report as moderators see it.</summary>
    public static Report Describe(MessageReport report) => new()
    {
        ReportId = report.Id,
        RoomId = report.RoomId,
        RoomName = report.RoomName,
        Sequence = report.Sequence,
        ReporterId = report.ReporterId,
        ReporterName = report.ReporterName,
        Reason = report.Reason,
        ReportedAtUnixMs = report.ReportedAt.ToUnixTimeMilliseconds(),
        Messages = { report.Lines.Select(HistoryReader.ToMessage) },
    };
}
