using PlayChat_Game.Messages;
using PlayChat_Game.Server;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Testing;

namespace PlayChat_Game.Tests;

/// <summary>The lobby in a real server, without sockets and under a clock that moves only when a test moves it.</summary>
public sealed class LobbyTests
{
    [Fact]
    public async Task What_a_player_says_is_heard_by_all()
    {
        await using RoomHarness<Lobby> harness = await StartAsync();
        HarnessClient ada = await JoinAsync(harness, "ada");
        HarnessClient bob = await JoinAsync(harness, "bob");

        ada.SendPacket(new Say("hello"));
        await harness.IdleAsync();

        Assert.Equal([new Said("ada", "hello")], ada.Received<Said>());
        Assert.Equal([new Said("ada", "hello")], bob.Received<Said>());
    }

    [Fact]
    public async Task Players_hear_who_is_here_and_who_has_left()
    {
        await using RoomHarness<Lobby> harness = await StartAsync();
        HarnessClient ada = await JoinAsync(harness, "ada");
        HarnessClient bob = await JoinAsync(harness, "bob");

        bob.Break();
        await harness.IdleAsync();

        Assert.Equal(["ada"], Assert.Single(bob.Received<Joined>()).Others);
        Assert.Empty(bob.Received<PlayerCame>()); // the answer to Join says who is here, so it comes first
        Assert.Equal([new PlayerCame("bob")], ada.Received<PlayerCame>());
        Assert.Equal([new PlayerLeft("bob")], ada.Received<PlayerLeft>());
    }

    [Fact]
    public async Task A_name_is_taken_once()
    {
        await using RoomHarness<Lobby> harness = await StartAsync();
        await JoinAsync(harness, "ada");

        HarnessClient other = await JoinAsync(harness, "Ada");

        Assert.Equal("ada is here already.", Assert.Single(other.Received<Joined>()).Refusal);
    }

    internal static Task<RoomHarness<Lobby>> StartAsync(Action<PlayChatServer>? configure = null) =>
        RoomHarness.StartAsync(
            static context => new Lobby(context),
            GamePackets.All,
            server =>
            {
                server.UseGame();
                configure?.Invoke(server);
            },
            settings: new RoomSettings { Name = Lobby.RoomName });

    internal static async Task<HarnessClient> JoinAsync(RoomHarness<Lobby> harness, string name)
    {
        HarnessClient client = await harness.ConnectAsync();
        client.SendPacket(new Join(name), requestId: 1);
        await harness.IdleAsync();
        return client;
    }
}
