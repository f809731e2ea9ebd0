using System.Threading.Channels;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Server.Tests.Chat;

/// <summary>What two users of <see cref="ChatClient"/> tell each other in a room beyond what they say.</summary>
public sealed class ChatClientTests : IAsyncLifetime
{
    private readonly Channel<object> _heard = Channel.CreateUnbounded<object>();
    private TestServer _server = null!;
    private ChatClient _ann = null!;
    private ChatClient _bob = null!;
    private long _den;

    public async ValueTask InitializeAsync()
    {
        _server = await TestServer.StartAsync("--Rooms:Lasting=true");
        _ann = await LoginAsync("Ann");
        _bob = await LoginAsync("Bob");
        _den = (await _ann.CreateRoomAsync("den")).RoomId;
    }

    public async ValueTask DisposeAsync()
    {
        await _bob.DisposeAsync();
        await _ann.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task What_was_marked_as_read_is_not_new_at_the_next_login()
    {
        await _bob.JoinRoomAsync(_den);
        long read = (await _ann.ChatAsync(_den, "@Bob, read this")).Sequence;
        await _ann.ChatAsync(_den, "and that");

        Assert.True(_bob.MarkRead(_den, read));
        await _bob.ListMembersAsync(_den); // answered behind the mark

        Membership membership = await Eventually.GetAsync(
            async () =>
            {
                await using ChatClient other = await LoginAsync("Bob");
                return Assert.Single(other.Login!.Memberships);
            },
            static membership => membership.Unread == 1); // which the store counts
        Assert.Equal((_den, read, 0u), (membership.RoomId, membership.ReadSequence, membership.UnreadMentions));
    }

    [Fact]
    public async Task The_others_hear_that_a_member_is_writing()
    {
        _ann.MemberTyping += Hear;
        _bob.MemberTyping += Hear;
        await _bob.JoinRoomAsync(_den);

        Assert.True(_bob.SendTyping(_den));

        STypingNtf typing = await HearsAsync<STypingNtf>();
        Assert.Equal((_den, _bob.Login!.PlayerId), (typing.RoomId, typing.PlayerId));
        await _bob.ChatAsync(_den, "done"); // Bob's own client would have heard of it before the answer
        Assert.False(_heard.Reader.TryPeek(out _));
    }

    [Fact]
    public async Task The_others_hear_of_edits_and_reactions()
    {
        _ann.MessageEdited += Hear;
        _ann.ReactionChanged += Hear;
        await _bob.JoinRoomAsync(_den);
        long said = (await _bob.ChatAsync(_den, "helo")).Sequence;

        await _bob.EditMessageAsync(_den, said, "hello");
        SMessageEditedNtf edit = await HearsAsync<SMessageEditedNtf>();
        await _bob.ReactAsync(_den, said, "👍");
        SReactionNtf reaction = await HearsAsync<SReactionNtf>();
        await _bob.ReactAsync(_den, said, "👍", remove: true);
        SReactionNtf taken = await HearsAsync<SReactionNtf>();

        Assert.Equal((said, "hello", "Bob"), (edit.MessageSequence, edit.Text, edit.Editor.Name));
        Assert.Equal((said, "👍", false, "Bob"), (reaction.MessageSequence, reaction.Emoji, reaction.Removed, reaction.Player.Name));
        Assert.Equal((said, "👍", true), (taken.MessageSequence, taken.Emoji, taken.Removed));
    }

    [Fact]
    public async Task A_player_hears_of_an_invitation_of_its_other_device_and_of_its_removal()
    {
        _bob.Invited += Hear;
        _bob.RoomEntered += Hear;
        _bob.RoomLeft += Hear;

        await _ann.ModerateAsync(new CModerateReq { RoomId = _den, Action = ModerationAction.Invite, PlayerName = "Bob" });
        SInvitedNtf invited = await HearsAsync<SInvitedNtf>();
        Assert.Equal((_den, "den", "Ann"), (invited.Membership.RoomId, invited.Membership.Name, invited.By.Name));
        Assert.Equal(
            "Ann Owner True, Bob Member False",
            string.Join(", ", (await _ann.ListMembersAsync(_den)).Members.Select(static one =>
                $"{one.Member.Name} {one.Member.Role} {one.Online}")));

        await using ChatClient other = await LoginAsync("Bob");
        await other.JoinRoomAsync(_den);
        Assert.Equal(_den, (await HearsAsync<SRoomEnteredNtf>()).RoomId);
        await _bob.JoinRoomAsync(_den);
        await _ann.ModerateAsync(new CModerateReq { RoomId = _den, Action = ModerationAction.Kick, PlayerName = "Bob" });
        SRoomLeftNtf left = await HearsAsync<SRoomLeftNtf>();
        Assert.Equal((_den, "Ann removed you from den."), (left.RoomId, left.Message));
        Assert.Null(_bob.FindRoom(_den));
    }

    [Fact]
    public async Task A_blocked_player_is_refused_until_the_block_ends()
    {
        long bob = _bob.Login!.PlayerId;
        Assert.Equal(bob, (await _ann.BlockPlayerAsync(new CBlockPlayerReq { PlayerName = "Bob" })).Player.PlayerId);
        var refusal = await Assert.ThrowsAsync<ChatErrorException>(() => _bob.SendDirectAsync(_ann.Login!.PlayerId, "hi"));
        Assert.Equal(ErrorCode.PlayerRefuses, refusal.Code);
        Assert.Equal(bob, Assert.Single((await _ann.BlockPlayerAsync(new CBlockPlayerReq())).Blocked).PlayerId);

        Assert.Empty((await _ann.BlockPlayerAsync(new CBlockPlayerReq { PlayerId = bob, Unblock = true })).Blocked);
        await _bob.SendDirectAsync(_ann.Login!.PlayerId, "hi");
    }

    private void Hear<T>(object? sender, PacketEventArgs<T> e)
        where T : class =>
        _heard.Writer.TryWrite(e.Message);

    private async Task<T> HearsAsync<T>() => Assert.IsType<T>(await _heard.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang));

    private async Task<ChatClient> LoginAsync(string name)
    {
        ChatClient client = await ChatClient.ConnectAsync(
            "127.0.0.1", _server.EndPoint.Port, new ChatClientOptions { Transport = _server.Transport });
        await client.LoginAsync(name);
        return client;
    }
}
