using PlayChat.Chat.Cluster;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>Changes of messages, and members that are writing, on several nodes.</summary>
public sealed class ClusterEditTests
{
    [Fact]
    public async Task Members_on_all_nodes_get_a_change_in_one_order_and_the_database_has_it()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        long said = (await ann.SayAsync(room, "helo")).Sequence;

        await ann.EditAsync(room, said, "hello");
        await bob.SayAsync(room, "hi");
        SMessageEditedNtf edited = await bob.NextAsync<SMessageEditedNtf>();
        SMessageEditedNtf own = await ann.NextAsync<SMessageEditedNtf>();

        Assert.Equal((said, "hello", "Ann", said), (edited.MessageSequence, edited.Text, edited.Editor.Name, edited.PreviousSequence));
        Assert.Equal(edited, own);
        Assert.Equal(edited.Sequence, (await bob.NextAsync<SRoomChatNtf>(static heard => heard.Text == "hi")).PreviousSequence);
        Assert.Equal("hello | hi", await bob.ReadTextsAsync(room));
        Assert.Equal(ErrorCode.Forbidden, (await bob.FailToEditAsync(room, said, "x")).Code);
        var store = cluster[1].Get<Storage.IChatStore>();
        await Eventually.GetAsync(
            async () => await store.ReadChatAfterAsync(room, said - 1, 1), static stored => stored is [{ Text: "hello" }]);
    }

    [Fact]
    public async Task A_change_that_comes_after_the_deletion_of_its_message_brings_nothing_back_on_any_node()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        long said = (await ann.SayAsync(room, "helo")).Sequence;
        await ann.EditAsync(room, said, "");
        ClusterLife life = cluster[1].Get<ClusterNode>().Life!;

        Assert.True(life.TryPublish(RoomEntryKind.Edited, room, ann.PlayerId, token: 0, life.BodyOf(number: 0, said, "Ann", "hello")));
        await bob.SayAsync(room, "hi");
        await ann.NextAsync<SRoomChatNtf>(static heard => heard.Text == "hi");

        Assert.Equal(" | hi", await bob.ReadTextsAsync(room));
        Assert.Equal(" | hi", await ann.ReadTextsAsync(room));
        Assert.Equal("", (await bob.NextAsync<SMessageEditedNtf>()).Text);
        Assert.Equal(0, bob.CountWaiting<SMessageEditedNtf>());
    }

    [Fact]
    public async Task A_player_whose_change_waits_for_the_log_leaves_a_node_that_loses_its_place()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1, TimeSpan.FromSeconds(5));
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;
        long said = (await ann.SayAsync(room, "helo")).Sequence;
        LogOrder replica = cluster[0].Get<ClusterNode>().Life!.FeedOf(room).Find(room)!;
        cluster.Log.IsAvailable = false;
        ann.Send(ChatPackets.CEditMessageReq, new CEditMessageReq { RoomId = room, Sequence = said, Text = "hello" }, requestId: 1);
        await Eventually.TrueAsync(() => replica.OldestPending != 0);

        await cluster.FenceAsync();

        await Eventually.TrueAsync(() => cluster[0].Server.Sessions.Count == 0);
    }

    [Fact]
    public async Task Members_on_all_nodes_get_reactions_in_one_order_and_each_history_counts_them()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);
        long said = (await ann.SayAsync(room, "hello")).Sequence;
        await bob.NextAsync<SRoomChatNtf>(static heard => heard.Text == "hello");

        await bob.ReactAsync(room, said, "👍");
        await ann.ReactAsync(room, said, "👍");
        await bob.ReactAsync(room, said, "👍", remove: true);
        await bob.SayAsync(room, "hi");
        SReactionNtf[] heard =
            [await ann.NextAsync<SReactionNtf>(), await ann.NextAsync<SReactionNtf>(), await ann.NextAsync<SReactionNtf>()];

        Assert.Equal("Bob Ann Bob", string.Join(' ', heard.Select(static reaction => reaction.Player.Name)));
        Assert.True(heard[2].Removed);
        Assert.Equal(heard[0], await bob.NextAsync<SReactionNtf>());
        Assert.Equal(heard[2].Sequence, (await ann.NextAsync<SRoomChatNtf>(static next => next.Text == "hi")).PreviousSequence);
        Reaction shown = Assert.Single((await bob.ReadHistoryAsync(room))[0].Reactions);
        Assert.Equal(("👍", 1u, false), (shown.Emoji, shown.Count, shown.Own));
        Assert.True(Assert.Single((await ann.ReadHistoryAsync(room))[0].Reactions).Own);
    }

    [Fact]
    public async Task Members_on_all_nodes_but_the_writer_see_who_is_writing()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(2);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        await using TestClient amy = await cluster[0].LoginAsync("Amy");
        await using TestClient bob = await cluster[1].LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await amy.JoinAsync(room);
        await bob.JoinAsync(room);

        ann.Send(ChatPackets.CTypingNtf, new CTypingNtf { RoomId = room });

        Assert.Equal((room, ann.PlayerId), Told(await bob.NextAsync<STypingNtf>()));
        Assert.Equal((room, ann.PlayerId), Told(await amy.NextAsync<STypingNtf>()));
        await ann.SayAsync(room, "hello");
        Assert.Equal(0, ann.CountWaiting<STypingNtf>());

        static (long Room, long Player) Told(STypingNtf typing) => (typing.RoomId, typing.PlayerId);
    }

    [Fact]
    public async Task Players_do_not_moderate_a_room_of_a_cluster_that_does_not_last()
    {
        await using TestCluster cluster = await TestCluster.StartAsync(1);
        await using TestClient ann = await cluster[0].LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;

        Assert.Equal(
            (ErrorCode.Forbidden, "Players moderate rooms of a cluster only where rooms last. Ask the operator."),
            await ann.FailToModerateAsync(new CModerateReq { RoomId = room, Action = ModerationAction.Mute, PlayerName = "Ann" }));
    }
}
