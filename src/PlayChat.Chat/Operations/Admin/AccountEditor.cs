using System.Runtime.CompilerServices;
using PlayChat.Chat.Accounts;
using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Chat.Rooms;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Core.Rooms;
using PlayChat.Storage.Passwords;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Does with accounts and bans what the commands <c>accounts</c> and <c>bans</c> do.</summary>
internal sealed class AccountEditor(ServerSettings settings, PlayChatServer server, TimeProvider time, IChatStore? store = null)
{
    private const int PageSize = IChatStore.MaxReadLimit;
    private const int MaxBanReasonChars = 200;
    private const long MaxBanSeconds = 36_500L * 604_800; // as the bans command

    private IChatStore Store =>
        store ?? throw AdminException.Conflict("Only a server in chat mode has accounts. Set Mode to Chat, and restart it.");

    /// <summary>What is said where no account has a name.</summary>
    public static string NoSuchAccount(string name) => $"There is no account '{name}'. List the accounts to see which there are.";

    /// <summary>Lists accounts by rising id.</summary>
    /// <exception cref="AdminException">The query is invalid.</exception>
    public async Task<Page<AccountInfo>> ListAsync(long after, int limit, CancellationToken cancellationToken)
    {
        new ListQuery(after, limit).Check("id");
        IReadOnlyList<Account> accounts = await Store.ListAccountsAsync(after, limit, cancellationToken);
        AccountInfo[] items = [.. accounts.Select(Describe)];
        return new Page<AccountInfo>(items, Matched: null, items.Length == limit ? items[^1].Id : null);
    }

    /// <exception cref="AdminException">The name is invalid or taken, or the password is invalid.</exception>
    public async Task<ActionResult> AddAsync(string? name, string? password, CancellationToken cancellationToken)
    {
        name ??= "";
        if (!PlayerName.TryGetKey(name, out _, out string? problem))
        {
            throw AdminException.Invalid($"'{name}' is not a valid name. {problem} Choose another.");
        }

        string hash = await HashAsync(password, cancellationToken);
        CreateAccountResult created = await Store.CreateAccountAsync(name, hash, time.GetUtcNow(), cancellationToken);
        return created.Status == CreateAccountStatus.Created
            ? new ActionResult($"Account {created.Account} was added.", 1)
            : throw AdminException.Conflict($"There is an account {created.Account} already. Choose another name.");
    }

    /// <summary>Sets a password. Open sessions stay connected; their resume tokens are void.</summary>
    /// <exception cref="AdminException">There is no such account, or the password is invalid.</exception>
    public async Task<ActionResult> SetPasswordAsync(string name, string? password, CancellationToken cancellationToken)
    {
        Account account = await FindAsync(name, cancellationToken);
        await Store.UpdatePasswordHashAsync(account.Id, await HashAsync(password, cancellationToken), cancellationToken);
        return new ActionResult($"Account {account} has a new password{(account.Disabled ? ", but is disabled" : "")}.", 1);
    }

    /// <summary>Refuses further logins with an account, or lets it in again. Open sessions stay connected.</summary>
    /// <exception cref="AdminException">There is no such account.</exception>
    public async Task<ActionResult> SetDisabledAsync(string name, bool disabled, CancellationToken cancellationToken)
    {
        Account account = await FindAsync(name, cancellationToken);
        await Store.SetAccountDisabledAsync(account.Id, disabled, cancellationToken);
        return new ActionResult($"Account {account} is {(disabled ? "disabled" : "enabled")}.", 1);
    }

    /// <summary>Deletes an account for good. Its messages stay, with its name; their texts are emptied before if that is asked.</summary>
    /// <exception cref="AdminException">There is no such account.</exception>
    public async Task<ActionResult> RemoveAsync(string name, bool erasesTexts, CancellationToken cancellationToken)
    {
        Account account = await FindAsync(name, cancellationToken);
        string texts = "";
        if (erasesTexts)
        {
            int erased = await Store.Direct.EraseOfAsync(account.Id, cancellationToken);
            await foreach (RoomPosition room in ListRoomsAsync(cancellationToken))
            {
                erased += await Store.EraseChatOfAsync(room.RoomId, account.Id, cancellationToken);
            }

            foreach (Room room in server.Rooms.All)
            {
                await ((room as ChatRoom)?.EraseOfAsync(account.Id, cancellationToken) ?? Task.CompletedTask);
            }

            await Store.Reports.EraseOfAsync(account.Id, cancellationToken);
            texts = $"; the texts of {erased} are empty";
        }

        await Store.DeleteAccountAsync(account.Id, cancellationToken);
        return new ActionResult($"Account {account} was removed. Its messages stay, with its name{texts}.", 1);
    }

    /// <summary>
    /// Reads everything about an account. What may be long is read while it is written to the client.
    /// </summary>
    /// <exception cref="AdminException">There is no such account.</exception>
    public async Task<AccountExport> ExportAsync(string name, CancellationToken cancellationToken)
    {
        Account account = await FindAsync(name, cancellationToken);
        IReadOnlyList<LoginTokenHashes> devices = await Store.ListLoginTokensAsync(account.Id, cancellationToken);
        return new AccountExport(
            Describe(account),
            devices.Select(static device => new KeptDeviceInfo(device.CreatedAt, device.UsedAt, device.ClientVersion)),
            ReadMessagesAsync(account, cancellationToken),
            ReadMembershipsAsync(account.Id, cancellationToken),
            ReadReactionsAsync(account.Id, cancellationToken),
            ReadReportsAsync(account.Id, cancellationToken),
            ReadConversationsAsync(account.Id, cancellationToken),
            await Store.Direct.ListBlockedAsync(account.Id, cancellationToken),
            (await Store.ListBansAsync(cancellationToken))
                .Where(ban => ban.Subject == BanSubject.OfAccount(account.Name))
                .Select(Describe));
    }

    /// <summary>Lists the open reports of all rooms, or of one, by rising id.</summary>
    /// <exception cref="AdminException">The query is invalid.</exception>
    public async Task<Page<ReportInfo>> ListReportsAsync(long room, long after, int limit, CancellationToken cancellationToken)
    {
        new ListQuery(after, limit).Check("id");
        ReportInfo[] items = [.. (await Store.Reports.ListOpenAsync(room, after, limit, cancellationToken)).Select(Describe)];
        return new Page<ReportInfo>(items, Matched: null, items.Length == limit ? items[^1].Id : null);
    }

    /// <summary>Lists what was stored of a room, also of one that sleeps or was removed.</summary>
    /// <exception cref="AdminException">The query is invalid.</exception>
    public async Task<Page<MessageInfo>> ListMessagesAsync(long room, long after, int limit, CancellationToken cancellationToken)
    {
        new ListQuery(after, limit).Check("id");
        MessageInfo[] items = [.. (await Store.ReadChatAfterAsync(room, after, limit, cancellationToken)).Select(Describe)];
        return new Page<MessageInfo>(items, Matched: null, items.Length == limit ? items[^1].Sequence : null);
    }

    /// <exception cref="AdminException">There is no such open report.</exception>
    public async Task<ActionResult> ResolveReportAsync(long id, CancellationToken cancellationToken) =>
        await Store.Reports.ResolveAsync(roomId: 0, id, playerId: 0, note: "", cancellationToken)
            ? new ActionResult($"Report {id} is resolved.", 1)
            : throw AdminException.NotFound($"There is no open report {id}. List the reports to see which are open.");

    /// <summary>Lists the bans that are in effect.</summary>
    public async Task<IReadOnlyList<BanInfo>> ListBansAsync(CancellationToken cancellationToken)
    {
        DateTimeOffset now = time.GetUtcNow();
        return [.. (await Store.ListBansAsync(cancellationToken)).Where(ban => !ban.HasExpired(now)).Select(Describe)];
    }

    /// <summary>Bans an account or a network. The server takes it over within Accounts:BanInterval.</summary>
    /// <exception cref="AdminException">The subject, the time or the reason is invalid.</exception>
    public async Task<ActionResult> BanAsync(BanRequest request, CancellationToken cancellationToken)
    {
        BanSubject subject = ParseSubject(request.Subject);
        if (subject.Kind == BanKind.Account)
        {
            // As it is written in the account: a server finds the player's session by that.
            subject = BanSubject.OfAccount((await FindAsync(subject.Text, cancellationToken)).Name);
        }

        if (request.ForSeconds is < 1 or > MaxBanSeconds)
        {
            throw AdminException.Invalid($"forSeconds is {request.ForSeconds}; allowed is 1 to {MaxBanSeconds}, or null for no end.");
        }

        string reason = request.Reason?.Trim() ?? "";
        if (reason.Length > MaxBanReasonChars || reason.Any(char.IsControl))
        {
            throw AdminException.Invalid($"The reason has at most {MaxBanReasonChars} characters and no line breaks.");
        }

        DateTimeOffset now = time.GetUtcNow();
        DateTimeOffset? end = request.ForSeconds is { } seconds ? now.AddSeconds(seconds) : null;
        await Store.SaveBanAsync(new Ban(subject, reason, now, end), cancellationToken);
        return new ActionResult($"{subject} is banned. It takes effect within {settings.Accounts.BanInterval:c}.", 1);
    }

    /// <exception cref="AdminException">There is no such ban.</exception>
    public async Task<ActionResult> LiftBanAsync(string? subject, CancellationToken cancellationToken)
    {
        BanSubject parsed = ParseSubject(subject);
        return await Store.RemoveBanAsync(parsed, cancellationToken)
            ? new ActionResult($"{parsed} is no longer banned.", 1)
            : throw AdminException.NotFound($"There is no ban of {parsed}. List the bans to see which there are.");
    }

    private async IAsyncEnumerable<RoomPosition> ListRoomsAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        long after = 0;
        while (await Store.GetRoomPositionsAsync(after, PageSize, cancellationToken) is { Count: > 0 } rooms)
        {
            foreach (RoomPosition room in rooms)
            {
                after = room.RoomId;
                yield return room;
            }
        }
    }

    private async IAsyncEnumerable<MessageInfo> ReadMessagesAsync(
        Account account, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (RoomPosition room in ListRoomsAsync(cancellationToken))
        {
            long after = 0;
            while (await Store.ReadChatOfAsync(room.RoomId, account.Id, after, PageSize, cancellationToken) is { Count: > 0 } records)
            {
                after = records[^1].Sequence;
                foreach (ChatRecord record in records)
                {
                    yield return Describe(record);
                }
            }
        }

        await foreach (MessageInfo direct in ReadDirectAsync(account, cancellationToken))
        {
            yield return direct;
        }
    }

    // Room by room: the store lists the rooms of a member, but not those where a player is only muted or banned.
    private async IAsyncEnumerable<MembershipInfo> ReadMembershipsAsync(
        long accountId, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (RoomPosition room in ListRoomsAsync(cancellationToken))
        {
            if (await Store.FindMembershipAsync(room.RoomId, accountId, cancellationToken) is { } one)
            {
                yield return new MembershipInfo(
                    room.RoomId,
                    room.RoomName,
                    one.Role.ToString().ToLowerInvariant(),
                    one.ReadSequence,
                    one.MutedUntil,
                    one.BannedUntil);
            }
        }
    }

    private async IAsyncEnumerable<ReactionInfo> ReadReactionsAsync(
        long accountId, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (RoomPosition room in ListRoomsAsync(cancellationToken))
        {
            (long Sequence, string Emoji) after = (0, "");
            while (await Store.ReadReactionsOfAsync(room.RoomId, accountId, after, PageSize, cancellationToken) is { Count: > 0 } reactions)
            {
                foreach ((long sequence, string emoji, DateTimeOffset at) in reactions)
                {
                    after = (sequence, emoji);
                    yield return new ReactionInfo(room.RoomId, sequence, emoji, at);
                }
            }
        }
    }

    private async IAsyncEnumerable<ReportInfo> ReadReportsAsync(
        long accountId, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        long after = 0;
        while (await Store.Reports.ListOfAsync(accountId, after, PageSize, cancellationToken) is { Count: > 0 } reports)
        {
            after = reports[^1].Id;
            foreach (MessageReport report in reports)
            {
                yield return Describe(report);
            }
        }
    }

    private async IAsyncEnumerable<ConversationInfo> ReadConversationsAsync(
        long accountId, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        (DateTimeOffset, long)? before = null;
        while (await Store.Direct.ListConversationsAsync(accountId, before, minUnread: 0, PageSize, cancellationToken)
            is { Count: > 0 } conversations)
        {
            before = (conversations[^1].Last.SentAt, conversations[^1].PartnerId);
            foreach (DirectConversation one in conversations)
            {
                yield return new ConversationInfo(one.PartnerId, one.PartnerName, one.ReadNumber, one.Last.Number);
            }
        }
    }

    private async IAsyncEnumerable<MessageInfo> ReadDirectAsync(
        Account account, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (ConversationInfo one in ReadConversationsAsync(account.Id, cancellationToken))
        {
            long after = 0;
            while (await Store.Direct.ReadAfterAsync(account.Id, one.WithId, after, PageSize, cancellationToken)
                is { Count: > 0 } said)
            {
                after = said[^1].Number;
                foreach (DirectMessage message in said.Where(message => message.FromId == account.Id))
                {
                    yield return new(0, null, message.Number, account.Name, message.Text, message.SentAt, one.WithName);
                }
            }
        }
    }

    private static AccountInfo Describe(Account account) => new(
        account.Id,
        account.Name,
        account.Disabled ? "disabled" : account.HasPassword ? "enabled" : "no password",
        account.CreatedAt,
        account.LastLoginAt);

    private static MessageInfo Describe(ChatRecord record) =>
        new(record.RoomId, record.RoomName, record.Sequence, record.PlayerName, record.Text, record.SentAt);

    private static ReportInfo Describe(MessageReport report) => new(
        report.Id,
        report.RoomId,
        report.RoomName,
        report.Sequence,
        report.ReporterName,
        report.Reason,
        report.ReportedAt,
        [
            .. report.Lines.Select(line =>
                new MessageInfo(line.RoomId, report.RoomName, line.Sequence, line.PlayerName, line.Text, line.SentAt)),
        ]);

    private static BanInfo Describe(Ban ban) =>
        new(ban.Subject.Text, ban.Subject.Kind == BanKind.Account ? "account" : "network", ban.Reason, ban.CreatedAt, ban.ExpiresAt);

    private static BanSubject ParseSubject(string? text)
    {
        try
        {
            return BanText.Parse(text ?? "");
        }
        catch (StartException e)
        {
            throw AdminException.Invalid(e.Message);
        }
    }

    private async Task<Account> FindAsync(string name, CancellationToken cancellationToken) =>
        await Store.FindAccountAsync(name, cancellationToken) ?? throw AdminException.NotFound(NoSuchAccount(name));

    // A hash takes a processor some tenths of a second: not on the thread of the request.
    private async Task<string> HashAsync(string? password, CancellationToken cancellationToken)
    {
        string given = password ?? "";
        return NewPassword.FindProblem(given, settings.Accounts.MinPasswordLength) is { } problem
            ? throw AdminException.Invalid(problem)
            : await Task.Run(() => new PasswordHasher(settings.Accounts.PasswordIterations).Hash(given), cancellationToken);
    }
}
