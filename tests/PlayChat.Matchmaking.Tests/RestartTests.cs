using PlayChat.Core.Sessions;
using PlayChat.Persistence;
using PlayChat.TestUtilities;

namespace PlayChat.Matchmaking.Tests;

/// <summary>A queue that survives a restart of its server.</summary>
public sealed class RestartTests : IDisposable
{
    private readonly TemporaryDirectory _folder = new();
    private readonly FileRoomStore _rooms;

    public RestartTests() => _rooms = new FileRoomStore(_folder.Combine("rooms"));

    public void Dispose()
    {
        _rooms.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task Players_that_come_back_are_matched()
    {
        ReadOnlyMemory<byte>[] tokens = await RunAsync(new Find("ann"), new Find("bob"));

        await using RoomHarness<GameQueue> harness = await StartAsync();
        await harness.ResumeAsync(tokens[0]);
        await harness.PassAsync();
        Assert.Empty(harness.Matches());
        await harness.ResumeAsync(tokens[1]);
        await harness.PassAsync();

        Assert.Equal(["ann+bob"], harness.Matches());
    }

    [Fact]
    public async Task A_party_ends_of_which_a_player_does_not_come_back()
    {
        var find = new Find("ann", Party: "x", PartySize: 2);
        ReadOnlyMemory<byte>[] tokens = await RunAsync(find, find with { Name = "bob" });

        await using RoomHarness<GameQueue> harness = await StartAsync();
        HarnessClient ann = await harness.ResumeAsync(tokens[0]);
        await harness.AdvanceAsync(Game.Window);

        Assert.Equal(MatchState.PartyLeft, ann.States()[^1]);
        Assert.Equal(0, harness.Room.MemberCount);
    }

    /// <summary>Runs a server that stops while players wait.</summary>
    /// <returns>The tokens of the players.</returns>
    private async Task<ReadOnlyMemory<byte>[]> RunAsync(params Find[] tickets)
    {
        await using RoomHarness<GameQueue> harness = await StartAsync();
        var tokens = new ReadOnlyMemory<byte>[tickets.Length];
        for (int i = 0; i < tickets.Length; i++)
        {
            Session session = (await harness.EnterAsync(tickets[i])).Session;
            await harness.Server.Sessions.TakeOverAsync(session, new SessionUser(i + 1, tickets[i].Name));
            tokens[i] = await harness.Server.Sessions.IssueResumeTokenAsync(session);
        }

        await harness.Server.StopAsync().WaitAsync(TestTimeouts.Hang);
        return tokens;
    }

    private Task<RoomHarness<GameQueue>> StartAsync() => Game.StartAsync(
        new MatchRules<Find>
        {
            TeamSizes = [2],
            Party = static find => find.Party is { } key ? new MatchParty(key, find.PartySize) : null,
        },
        persist: server => server
            .UseResumeStore(new FileResumeStore(_folder.Combine("sessions"), new ManualTimeProvider()))
            .UseRoomStore(_rooms));
}
