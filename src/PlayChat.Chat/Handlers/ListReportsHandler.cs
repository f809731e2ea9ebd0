using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;

namespace PlayChat.Chat.Handlers;

/// <summary>C_LIST_REPORTS_REQ and C_RESOLVE_REPORT_REQ: a moderator reads the open reports of a room, and closes them.</summary>
internal sealed class ListReportsHandler(
    PlayChatServer server, IChatStore store, HistoryReader history, PlayerLimits limits, ILogger<ListReportsHandler> logger)
    : IPacketHandler<CListReportsReq>, IPacketHandler<CResolveReportReq>
{
    public async ValueTask HandleAsync(PacketContext context, CListReportsReq message, CancellationToken cancellationToken)
    {
        if (context.TryReadLimit(message.Limit, ChatLimits.MaxReportsPerPage, out int limit))
        {
            await ModerateAsync(context, message.RoomId, () => ListAsync(context, message, limit, cancellationToken), cancellationToken);
        }
    }

    public async ValueTask HandleAsync(PacketContext context, CResolveReportReq message, CancellationToken cancellationToken)
    {
        if (!ChatText.IsShown(message.Note, ChatLimits.MaxReportBytes))
        {
            context.Fail(ErrorCode.TextInvalid, $"A note has at most {ChatLimits.MaxReportBytes} bytes that can be seen. Shorten it.");
            return;
        }

        await ModerateAsync(context, message.RoomId, () => ResolveAsync(context, message), cancellationToken);
    }

    private async Task ModerateAsync(PacketContext context, long roomId, Func<Task> work, CancellationToken cancellationToken)
    {
        if (limits.TryTakePage(context)
            && context.TryFindRoom(server, roomId, out ChatRoom? room)
            && await context.WaitUntilDoneAsync(roomId, await room.CheckModeratorAsync(context.Session, cancellationToken)) is not null)
        {
            await context.UseStoreAsync(roomId, "Reports", logger, work);
        }
    }

    private async Task ListAsync(PacketContext context, CListReportsReq message, int limit, CancellationToken cancellationToken)
    {
        IReadOnlyList<MessageReport> found = await store.Reports.ListOpenAsync(
            message.RoomId, message.AfterReportId, limit + 1, cancellationToken);
        var page = new SListReportsRes
        {
            RoomId = message.RoomId,
            Reports = { history.FitPage(found.Take(limit).Select(ReportHandler.Describe)) },
        };
        page.More = found.Count > page.Reports.Count;
        context.Answer(ChatPackets.SListReportsRes, page);
    }

    private async Task ResolveAsync(PacketContext context, CResolveReportReq message)
    {
        long playerId = context.Session.User!.Id;
        if (await store.Reports.ResolveAsync(message.RoomId, message.ReportId, playerId, message.Note, CancellationToken.None))
        {
            AuditLog.ReportResolved(logger, playerId, context.Session.Id, message.ReportId, message.RoomId);
            context.Answer(ChatPackets.SResolveReportRes, new SResolveReportRes { ReportId = message.ReportId });
        }
        else
        {
            context.Fail(ErrorCode.Forbidden, $"The room has no open report {message.ReportId}. List its reports to see which it has.");
        }
    }
}
