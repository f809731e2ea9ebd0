using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;

namespace PlayChat.Server.Tests.Model;

/// <summary>The operations of a run with direct messages and blocks.</summary>
internal sealed class DirectSteps(ModelRun run)
{
    private const ulong FirstId = 1000; // of the messages, which are numbered by it

    public DirectModel Model { get; } = new();

    /// <summary>Writes to a player, and sometimes sends again what was written before.</summary>
    public async Task WriteAsync(ModelDevice device, string to, int again)
    {
        (string from, int count) = (device.Player, Model.Read(device.Player, to).Count);
        bool isAgain = again > 0 && again <= count && Model.Read(from, to)[again - 1].StartsWith(from, StringComparison.Ordinal);
        int number = isAgain ? again : count + 1;
        var message = new CDirectChatReq { PlayerName = to, Text = $"text {number}", ClientMessageId = FirstId + (ulong)number };
        if (await run.AskAsync(device, ChatPackets.CDirectChatReq, message, Model.Judge(from, to)) is not SDirectChatRes answer)
        {
            return;
        }

        Assert.Equal((number, isAgain), (answer.Number, answer.Duplicate));
        if (isAgain)
        {
            return;
        }

        Model.Say(from, to, message.Text);
        foreach (ModelDevice other in run.Connected)
        {
            if (other.Player == to)
            {
                SDirectChatNtf told = await other.Client!.NextAsync<SDirectChatNtf>();
                Assert.Equal((from, message.Text, answer.Number), (told.PlayerName, told.Text, told.Number));
            }
            else if (other.Player == from && other != device)
            {
                SDirectSentNtf sent = await other.Client!.NextAsync<SDirectSentNtf>(
                    sent => (sent.PlayerId, sent.Number) == (answer.PlayerId, answer.Number));
                Assert.Equal(message.Text, sent.Text);
            }
        }
    }

    public async Task BlockAsync(ModelDevice device, string other, bool unblock)
    {
        var block = new CBlockPlayerReq { PlayerName = other, Unblock = unblock };
        Model.Block(device.Player, other, unblock);
        var answer = (SBlockPlayerRes)await run.AskAsync(device, ChatPackets.CBlockPlayerReq, block, ErrorCode.None);
        IEnumerable<string> blocked = answer.Blocked.Select(static one => one.Name).Order(StringComparer.Ordinal);
        Assert.Equal(Model.ShowBlocked(device.Player), string.Join(" ", blocked));
    }

    public async Task ReadAsync(ModelDevice device, string partner, int number)
    {
        number = Math.Min(number, Model.Read(device.Player, partner).Count);
        run.Note($"{device} has read what {partner} wrote up to {number}");
        device.Client!.Send(ChatPackets.CDirectReadNtf, new CDirectReadNtf { PlayerId = run.IdOf(partner), Number = number });
        Model.NoteRead(device.Player, partner, number);
        await device.Client.ListConversationsAsync(); // now the server has the mark, too
    }

    /// <summary>A device that has logged in when a message was on its way may hear of it, though its login has told it.</summary>
    public async Task HearKnownAsync(ModelDevice device)
    {
        while (device.Client!.CountWaiting<SDirectSentNtf>() > 0)
        {
            SDirectSentNtf known = await device.Client.NextAsync<SDirectSentNtf>();
            Assert.Equal($"{device.Player}: {known.Text}", Model.Read(device.Player, run.NameOf(known.PlayerId))[(int)known.Number - 1]);
        }
    }

    /// <summary>What a player's next device is told, beside what it must be.</summary>
    public async Task<(string Model, string Told)> CheckAsync(TestClient client, string player, SLoginRes login)
    {
        (string Partner, int Unread, string Last)[] expected = [.. Model.List(player)];
        List<(string, int, string)> listed = [];
        var request = new CListConversationsReq { Limit = 2 };
        do
        {
            SListConversationsRes page = await client.ListConversationsAsync(request);
            listed.AddRange(page.Conversations.Select(static one => (one.Player.Name, (int)one.Unread, one.Last.Text)));
            request.Before = page.Next;
        }
        while (request.Before is not null);

        List<string> histories = [];
        foreach ((string partner, _, _) in expected)
        {
            SDirectHistoryRes history = await client.ReadDirectAsync(new CDirectHistoryReq { PlayerId = run.IdOf(partner) });
            histories.AddRange(history.Messages.Select(said => $"{(said.PlayerId == client.PlayerId ? player : partner)}: {said.Text}"));
        }

        return (
            string.Join('\n', expected.SelectMany(one => Model.Read(player, one.Partner))
                .Append(Show(expected)).Append(Show(expected.Where(static one => one.Unread > 0))).Append(Model.ShowBlocked(player))),
            string.Join('\n', histories.Append(Show(listed))
                .Append(Show(login.UnreadConversations.Select(static one => (one.Player.Name, (int)one.Unread, one.Last.Text))))
                .Append(string.Join(" ", login.BlockedPlayerIds.Select(run.NameOf).Order(StringComparer.Ordinal)))));
    }

    private static string Show(IEnumerable<(string Partner, int Unread, string Last)> conversations) =>
        string.Join("; ", conversations.Select(static one => $"{one.Partner}: {one.Unread} unread, {one.Last}"));
}
