using Google.Protobuf;
using PlayChat.Core.Sessions;
using PlayChat.Protocol;
using PlayChat.TestUtilities.Hostile;
using static PlayChat.Server.Tests.Chat.Resuming;

namespace PlayChat.Server.Tests.Chat;

/// <summary>What one player says to another player alone.</summary>
public sealed class DirectChatTests
{
    [Fact]
    public async Task Only_the_player_hears_it_whole_and_in_order()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.LoginAsync("Bob");
        await using TestClient cho = await server.LoginAsync("Cho");

        await ann.SayToAsync(bob, "안녕 👋");
        await ann.SayToAsync(bob, "turn\u202Eed"); // the right-to-left override is taken out
        await bob.SayToAsync(bob, "to myself");
        await bob.SayToAsync(cho, "hi");

        SDirectChatNtf first = await bob.NextAsync<SDirectChatNtf>();
        Assert.Equal((ann.PlayerId, "Ann", "안녕 👋"), (first.PlayerId, first.PlayerName, first.Text));
        Assert.InRange(first.SentAtUnixMs, 1_700_000_000_000, long.MaxValue);
        Assert.Equal("turned", (await bob.NextAsync<SDirectChatNtf>()).Text);
        Assert.Equal("to myself", (await bob.NextAsync<SDirectChatNtf>()).Text);
        Assert.Equal(("Bob", "hi"), await HearAsync(cho)); // its first one
    }

    [Fact]
    public async Task One_way_it_has_no_answer_but_an_error()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");

        ann.Send(ChatPackets.CDirectChatReq, new CDirectChatReq { PlayerId = ann.PlayerId, Text = "hi" });
        ann.Send(ChatPackets.CDirectChatReq, new CDirectChatReq { PlayerId = 999, Text = "hi" });

        Assert.Equal(("Ann", "hi"), await HearAsync(ann));
        IMessage error = await ann.NextAnswerAsync(requestId: 0);
        Assert.Equal(ErrorCode.PlayerNotConnected, Assert.IsType<SErrorNtf>(error).Code);
    }

    [Theory]
    [InlineData("")]
    [InlineData("\u202E")] // nothing is left of it
    [InlineData(null)] // too long
    public async Task A_text_that_breaks_a_rule_is_refused(string? text)
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient ann = await server.LoginAsync("Ann");

        ErrorCode code = await ann.FailToSayToAsync(ann.PlayerId, text ?? new string('x', ChatLimits.MaxTextBytes + 1));

        Assert.Equal(ErrorCode.TextInvalid, code);
    }

    [Fact]
    public async Task It_needs_a_login()
    {
        await using TestServer server = await TestServer.StartAsync();
        await using TestClient stranger = await server.ConnectAsync();

        Assert.Equal(ErrorCode.LoginRequired, await stranger.FailToSayToAsync(1, "hi"));
    }

    [Fact]
    public async Task A_player_that_is_away_or_gone_does_not_get_it_later()
    {
        await using TestServer server = await TestServer.StartAsync("--Direct:Stored=false");
        await using TestClient ann = await server.LoginAsync("Ann");
        await using TestClient bob = await server.ConnectAsync();
        SLoginRes login = await bob.LoginAsync("Bob");

        await BreakAsync(server, bob);
        Assert.Equal(ErrorCode.PlayerNotConnected, await ann.FailToSayToAsync(bob.PlayerId, "while away"));
        await using TestClient back = await server.ConnectAsync();
        await ResumeAsync(back, login.ResumeToken);
        await ann.SayToAsync(bob, "back again");

        Assert.Equal(("Ann", "back again"), await HearAsync(back));
        Assert.Equal(ErrorCode.PlayerNotConnected, await ann.FailToSayToAsync(999, "nobody"));
    }

    [Fact]
    public async Task A_player_that_does_not_read_loses_messages_and_keeps_its_connection()
    {
        await using TestServer server = await TestServer.StartOnSocketsAsync(
            "--Direct:Stored=false", "--PlayChat:Transport:SendBufferBytes=8192",
            "--Sessions:PacketsPerSecond=0", "--PlayChat:Connections:BytesPerSecond=0", "--PlayChat:Connections:FramesPerSecond=0");
        await using TestClient ann = await server.LoginAsync("Ann");
        using RawPeer silent = await RawPeer.ConnectAsync(server.EndPoint.Port, receiveBufferBytes: 4096);
        await silent.SendAsync(HostileFrames.Login("silent"));
        Assert.Equal((ushort)PacketId.SLoginRes, (await silent.ReceivePacketAsync())?.Id);
        Session session = server.Server.Sessions.FindUser("silent")!;
        string text = new('x', ChatLimits.MaxTextBytes);

        int sent = 0;
        while (await ann.TrySayToAsync(session.User!.Id, text))
        {
            sent++;
        }

        Assert.False(session.IsAway);
        Assert.Same(session, server.Server.Sessions.FindUser("silent"));
        for (int i = 0; i < sent; i++)
        {
            Assert.Equal((ushort)PacketId.SDirectChatNtf, (await silent.ReceivePacketAsync())?.Id);
        }

        Assert.True(await ann.TrySayToAsync(session.User!.Id, "now it reads"));
    }

    private static async Task<(string From, string Text)> HearAsync(TestClient client)
    {
        SDirectChatNtf heard = await client.NextAsync<SDirectChatNtf>();
        return (heard.PlayerName, heard.Text);
    }
}
