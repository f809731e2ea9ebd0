using PlayChat.Chat.Extensions;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.Server.Tests.Chat;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Extensions;

/// <summary>Rules of one's own for rooms and texts.</summary>
public sealed class ChatRulesTests
{
    [Fact]
    public async Task A_text_is_replaced_for_everybody_by_each_rule_in_turn_and_stored_so()
    {
        await using TestServer server = await TestServer.StartExtendedAsync(static chat => chat.AddRules<Shouting>().AddRules<Dice>());
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);

        await ann.SayAsync(room, "hello");
        await ann.SayAsync(room, "/ROLL");
        await ann.SayToAsync(bob, "psst");

        Assert.Equal("HELLO", (await bob.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal("Ann rolled 4 after /ROLL", (await bob.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal("HELLO", (await ann.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal("PSST", (await bob.NextAsync<SDirectChatNtf>()).Text);
        SRoomHistoryRes history = await bob.AskAsync<CRoomHistoryReq, SRoomHistoryRes>(
            ChatPackets.CRoomHistoryReq, new CRoomHistoryReq { RoomId = room });
        Assert.Equal(
            "HELLO, Ann rolled 4 after /ROLL",
            string.Join(", ", history.Messages.Where(static said => !said.System).Select(static said => said.Text)));
    }

    [Fact]
    public async Task What_a_rule_refuses_nobody_hears_and_its_sender_learns_why()
    {
        await using TestServer server = await TestServer.StartExtendedAsync(static chat => chat.AddRules<Strict>());
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient eve = await server.LoginAsync("Eve");
        long room = (await ann.CreateAsync("den")).RoomId;

        SErrorNtf text = await ann.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "a bad word" });
        SErrorNtf direct = await ann.FailAsync(ChatPackets.CDirectChatReq, new CDirectChatReq { PlayerId = eve.PlayerId, Text = "bad" });
        SErrorNtf create = await ann.FailAsync(ChatPackets.CCreateRoomReq, new CCreateRoomReq { Name = "secret" });
        SErrorNtf join = await eve.FailAsync(ChatPackets.CJoinRoomReq, new CJoinRoomReq { RoomId = room });
        (ErrorCode, string) reason = await ann.FailToModerateAsync(
            new CModerateReq { RoomId = room, Action = ModerationAction.Ban, PlayerName = "Eve", Reason = "a bad one" });
        (ErrorCode, string) topic = await ann.FailToModerateAsync(
            new CModerateReq { RoomId = room, Action = ModerationAction.SetTopic, Topic = "bad days", Reason = "kindly" });
        await ann.SayAsync(room, "fine");

        Assert.Equal((ErrorCode.Forbidden, "Say it kindly."), reason);
        Assert.Equal((ErrorCode.Forbidden, "Say it kindly."), topic);
        Assert.Equal((ErrorCode.Forbidden, "Say it kindly."), (text.Code, text.Message));
        Assert.Equal((ErrorCode.Forbidden, "Say it kindly."), (direct.Code, direct.Message));
        Assert.Equal((ErrorCode.Forbidden, "Ann may not create secret."), (create.Code, create.Message));
        Assert.Equal((ErrorCode.Forbidden, "Eve may join nothing. Ask Ann."), (join.Code, join.Message));
        Assert.Equal("fine", (await ann.NextAsync<SRoomChatNtf>()).Text);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_rule_that_throws_refuses_for_now_unless_the_chat_says_otherwise(bool isAllowed)
    {
        await using TestServer server = await TestServer.StartExtendedAsync(chat =>
        {
            chat.AllowWhenRuleFails = isAllowed;
            chat.AddRules<Broken>().AddRules<Shouting>();
        });
        await using TestClient ann = await server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;

        if (isAllowed)
        {
            await ann.SayAsync(room, "hello");
            Assert.Equal("HELLO", (await ann.NextAsync<SRoomChatNtf>()).Text);
            return;
        }

        SErrorNtf error = await ann.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "hello" });
        Assert.Equal((ErrorCode.Unavailable, 1000u), (error.Code, error.RetryAfterMs));
    }

    [Fact]
    public async Task A_rule_that_never_answers_is_left_behind_when_its_time_is_up()
    {
        var time = new ManualTimeProvider();
        await using TestServer server = await TestServer.StartExtendedAsync(
            static chat =>
            {
                chat.RuleTimeout = TimeSpan.FromSeconds(3);
                chat.AddRules<Silent>();
            },
            time);
        await using TestClient ann = await server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;

        Task<SErrorNtf> error = ann.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "hello" });
        await Silent.Asked.Task.WaitAsync(TestTimeouts.Hang);
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.False(error.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(ErrorCode.Unavailable, (await error).Code);
    }

    [Fact]
    public async Task A_slow_rule_delays_its_own_player_alone_whose_messages_keep_their_order()
    {
        await using TestServer server = await TestServer.StartExtendedAsync(static chat => chat.AddRules<Slow>());
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        long room = (await ann.CreateAsync("den")).RoomId;
        await bob.JoinAsync(room);

        ann.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "slow" });
        ann.Send(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "behind it" });
        await bob.SayAsync(room, "meanwhile"); // returns while Ann's rule waits
        Slow.Done.SetResult();

        Assert.Equal("meanwhile", (await bob.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal("slow", (await bob.NextAsync<SRoomChatNtf>()).Text);
        Assert.Equal("behind it", (await bob.NextAsync<SRoomChatNtf>()).Text);
    }

    [Fact]
    public async Task A_replacement_that_is_no_text_is_refused()
    {
        await using TestServer server = await TestServer.StartExtendedAsync(static chat => chat.AddRules<TooLong>());
        await using TestClient ann = await server.LoginAsync("Ann");
        long room = (await ann.CreateAsync("den")).RoomId;

        SErrorNtf error = await ann.FailAsync(ChatPackets.CRoomChatReq, new CRoomChatReq { RoomId = room, Text = "hello" });

        Assert.Equal(ErrorCode.TextInvalid, error.Code);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(61)]
    public async Task A_time_limit_out_of_its_range_is_refused(int seconds) =>
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() =>
            TestServer.StartExtendedAsync(chat => chat.RuleTimeout = TimeSpan.FromSeconds(seconds)));

    internal sealed class Shouting : IChatRules
    {
        public ValueTask<ChatTextDecision> ReadTextAsync(
            SessionUser player, long roomId, string text, CancellationToken cancellationToken) =>
            new(ChatTextDecision.Replace(text.ToUpperInvariant()));
    }

    internal sealed class Dice : IChatRules
    {
        public ValueTask<ChatTextDecision> ReadTextAsync(
            SessionUser player, long roomId, string text, CancellationToken cancellationToken) =>
            new(text == "/ROLL" ? ChatTextDecision.Replace($"{player.Name} rolled 4 after {text}") : ChatTextDecision.Keep);
    }

    internal sealed class Strict : IChatRules
    {
        public ValueTask<string?> MayCreateRoomAsync(SessionUser player, string roomName, CancellationToken cancellationToken) =>
            new(roomName == "secret" ? $"{player.Name} may not create {roomName}." : null);

        public ValueTask<string?> MayJoinRoomAsync(SessionUser player, long roomId, CancellationToken cancellationToken) =>
            new(player.Name == "Eve" ? "Eve may join nothing. Ask Ann." : null);

        public ValueTask<ChatTextDecision> ReadTextAsync(
            SessionUser player, long roomId, string text, CancellationToken cancellationToken) =>
            new(text.Contains("bad", StringComparison.Ordinal) ? ChatTextDecision.Refuse("Say it kindly.") : ChatTextDecision.Keep);
    }

    internal sealed class Broken : IChatRules
    {
        public ValueTask<ChatTextDecision> ReadTextAsync(
            SessionUser player, long roomId, string text, CancellationToken cancellationToken) =>
            throw new InvalidOperationException("broken");
    }

    internal sealed class Silent : IChatRules
    {
        public static TaskCompletionSource Asked { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async ValueTask<ChatTextDecision> ReadTextAsync(
            SessionUser player, long roomId, string text, CancellationToken cancellationToken)
        {
            Asked.TrySetResult();
            await Task.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None); // does not heed its token
            return ChatTextDecision.Keep;
        }
    }

    internal sealed class Slow : IChatRules
    {
        public static TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async ValueTask<ChatTextDecision> ReadTextAsync(
            SessionUser player, long roomId, string text, CancellationToken cancellationToken)
        {
            if (text == "slow")
            {
                await Done.Task;
            }

            return ChatTextDecision.Keep;
        }
    }

    internal sealed class TooLong : IChatRules
    {
        public ValueTask<ChatTextDecision> ReadTextAsync(
            SessionUser player, long roomId, string text, CancellationToken cancellationToken) =>
            new(ChatTextDecision.Replace(new string('x', ChatLimits.MaxTextBytes + 1)));
    }
}
