using System.Text;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;

namespace PlayChat.Chat.Handlers;

/// <summary>C_SEARCH_REQ: what was said in the player's rooms.</summary>
internal sealed class SearchHandler(
    ServerSettings settings,
    IChatStore store,
    MembershipReader memberships,
    HistoryReader history,
    PlayerLimits limits,
    ILogger<SearchHandler> logger) : IPacketHandler<CSearchReq>, IDisposable
{
    private static readonly TimeSpan s_longestWait = TimeSpan.FromSeconds(5); // for a turn

    // A search may take two seconds: the other connections of the database are for what the chat needs at once.
    private readonly SemaphoreSlim _turns = new(2);

    public void Dispose() => _turns.Dispose();

    public async ValueTask HandleAsync(PacketContext context, CSearchReq message, CancellationToken cancellationToken)
    {
        if (message.Limit > ChatLimits.MaxFoundMessages
            || message.BeforeRoomId < 0
            || Encoding.UTF8.GetByteCount(message.Words) > ChatLimits.MaxSearchBytes)
        {
            context.Fail(
                ErrorCode.MalformedPacket,
                $"A search has at most {ChatLimits.MaxSearchBytes} bytes of words and {ChatLimits.MaxFoundMessages} messages in a page. "
                    + "Correct the client.");
        }
        else if (!message.Words.EnumerateRunes().Any(Rune.IsLetterOrDigit))
        {
            context.Fail(ErrorCode.TextInvalid, "There is no word to search for. Type one with a letter or a digit.");
        }
        else if (!settings.Storage.Search)
        {
            context.Fail(ErrorCode.Forbidden, "This server does not search. Read the history of the room.");
        }
        else if (limits.TryTakeSearch(context))
        {
            await SearchAsync(context, message, cancellationToken);
        }
    }

    private async Task SearchAsync(PacketContext context, CSearchReq message, CancellationToken cancellationToken)
    {
        int limit = message.Limit == 0 ? ChatLimits.MaxFoundMessages : (int)message.Limit;
        (long, long)? before = message.BeforeRoomId == 0 ? null : (message.BeforeRoomId, message.BeforeSequence);
        IReadOnlyList<ChatRecord> found;
        if (!await _turns.WaitAsync(s_longestWait, cancellationToken))
        {
            context.Fail(ErrorCode.ServerBusy, "Many players search now. Try again later.");
            return;
        }

        try
        {
            IReadOnlyCollection<long> rooms = await memberships.ListRoomsAsync(context.Session, cancellationToken);
            if (message.RoomId != 0)
            {
                if (!rooms.Contains(message.RoomId))
                {
                    context.Fail(ErrorCode.NotInRoom, Answers.NotInRoom(message.RoomId));
                    return;
                }

                rooms = [message.RoomId];
            }

            found = await store.SearchChatAsync(rooms, message.Words, before, limit + 1, cancellationToken);
        }
        catch (StorageException e)
        {
            ServerLog.HistoryStorageFailed(logger, message.RoomId, context.Session.Id, e.Message);
            context.FailStorage(
                "The search took too long, or the server's database is unavailable. Search one room or a rarer word, or try again later.");
            return;
        }
        finally
        {
            _turns.Release();
        }

        var page = new SSearchRes { Messages = { history.FitPage(found.Take(limit).Select(HistoryReader.ToMessage)) } };
        page.More = found.Count > page.Messages.Count;
        context.Answer(ChatPackets.SSearchRes, page);
    }
}
