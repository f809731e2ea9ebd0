using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using static PlayChat.Server.Tests.Chat.Resuming;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>What a player says to a player of another node.</summary>
public sealed class ClusterDirectChatTests
{
    [Fact]
    public async Task It_reaches_the_player_where_it_is_once_and_in_order()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(3, "--PlayChat:Sessions:MaxPerUser=1");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        await using TestClient cho = await cluster[2].LoginAsync("Cho");
        string[] texts = [.. Enumerable.Range(0, 10).Select(static i => $"message {i}")];

        foreach (string text in texts)
        {
            await ann.SayToAsync(bob, text);
        }

        await using TestClient moved = await cluster[2].LoginAsync("Bob"); // takes the session over
        await ann.SayToAsync(moved, "there"); // on its way: the player's node may not have it yet
        Assert.Equal("there", (await moved.NextAsync<SDirectChatNtf>()).Text);
        await cho.SayToAsync(moved, "here");
        Assert.Equal("here", (await moved.NextAsync<SDirectChatNtf>()).Text);
        await bob.Closed;

        List<SDirectChatNtf> heard = [.. (await bob.ReadToEndAsync()).OfType<SDirectChatNtf>()];
        Assert.Equal(string.Join(',', texts), string.Join(',', heard.Select(static message => message.Text)));
        Assert.All(heard, message => Assert.Equal((ann.PlayerId, "Ann"), (message.PlayerId, message.PlayerName)));
        Assert.InRange(heard[0].SentAtUnixMs, 1_700_000_000_000, long.MaxValue);
    }

    [Fact]
    public async Task A_player_that_is_on_no_node_is_reported()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");

        Assert.Equal(ErrorCode.PlayerNotConnected, await ann.FailToSayToAsync(999, "nobody"));
    }

    [Fact]
    public async Task A_player_that_is_away_on_another_node_does_not_get_it_later()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, "--Cluster:Shards=1"); // one order for all
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient cat = await cluster[1].LoginAsync("Cat");
        await using TestClient bob = await cluster[1].ConnectAsync();
        SLoginRes login = await bob.LoginAsync("Bob");

        await BreakAsync(cluster[1], bob);
        await ann.SayToAsync(bob, "while away"); // the directory does not know that it is away
        await ann.SayToAsync(cat, "behind it");
        Assert.Equal("behind it", (await cat.NextAsync<SDirectChatNtf>()).Text); // so the node has read the one before
        await using TestClient back = await cluster[1].ConnectAsync();
        await ResumeAsync(back, login.ResumeToken);
        await ann.SayToAsync(bob, "back again");

        Assert.Equal("back again", (await back.NextAsync<SDirectChatNtf>()).Text);
    }

    [Fact]
    public async Task Without_log_or_directory_the_sender_is_told_and_players_of_its_node_are_reached()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(
            2, "--Cluster:AnswerTimeout=00:00:00.300", "--Direct:Stored=false");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient amy = await cluster[0].LoginAsync("Amy");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");

        cluster.Log.IsAvailable = false;
        Assert.Equal(ErrorCode.Unavailable, await ann.FailToSayToAsync(bob.PlayerId, "without the log"));
        cluster.Log.IsAvailable = true;
        Assert.Equal("without the log", (await bob.NextAsync<SDirectChatNtf>()).Text); // UNAVAILABLE does not say that it is lost
        cluster.DirectoryOf(0).IsAway = true;
        Assert.Equal(ErrorCode.Unavailable, await ann.FailToSayToAsync(bob.PlayerId, "without the directory"));
        await ann.SayToAsync(amy, "beside me");
        cluster.DirectoryOf(0).IsAway = false;
        await ann.SayToAsync(bob, "with both");

        Assert.Equal("beside me", (await amy.NextAsync<SDirectChatNtf>()).Text);
        Assert.Equal("with both", (await bob.NextAsync<SDirectChatNtf>()).Text);
    }

    [Fact]
    public async Task Nodes_number_one_conversation_and_a_player_of_no_node_reads_it_later()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");

        Assert.Equal(1, (await ann.SayToAsync(bob, "to the other node")).Number);
        Assert.Equal(2, (await bob.SayToAsync(ann, "and back")).Number);
        Assert.Equal(1, (await bob.NextAsync<SDirectChatNtf>()).Number);
        Assert.Equal(2, (await ann.NextAsync<SDirectChatNtf>()).Number);
        bob.Send(ChatPackets.CLogoutNtf, new CLogoutNtf());
        await bob.Closed;
        Assert.Equal(3, (await ann.SayToAsync(bob, "later")).Number);
        await using TestClient back = await cluster[0].ConnectAsync();
        Conversation unread = Assert.Single((await back.LoginAsync("Bob")).UnreadConversations);

        Assert.Equal(("later", 1u), (unread.Last.Text, unread.Unread)); // its answer has read the one before
    }

    [Fact]
    public async Task Without_the_log_a_message_is_stored_and_in_the_history()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2, "--Cluster:AnswerTimeout=00:00:00.300");
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");

        cluster.Log.IsAvailable = false;
        Assert.Equal(1, (await ann.SayToAsync(bob, "without the log")).Number);
        SDirectHistoryRes history = await bob.ReadDirectAsync(new CDirectHistoryReq { PlayerId = ann.PlayerId });

        Assert.Equal("without the log", Assert.Single(history.Messages).Text);
    }
}
