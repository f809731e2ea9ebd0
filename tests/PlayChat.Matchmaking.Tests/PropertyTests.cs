using FsCheck;
using FsCheck.Fluent;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Matchmaking.Tests;

/// <summary>Players do anything at any time, and each ticket has exactly one end.</summary>
public sealed class PropertyTests
{
    private const int Players = 8;

    private enum Act
    {
        Enter,
        EnterWithNext, // the first half of a party; the second comes by an Enter of the other
        Leave,
        Break,
        Return,
        Accept,
        Decline,
        Wait,
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    public void Each_player_is_in_one_match_or_is_told_otherwise(int acceptSeconds)
    {
        Gen<Act> act = Gen.Frequency(
            (6, Gen.Constant(Act.Enter)),
            (3, Gen.Constant(Act.EnterWithNext)),
            (2, Gen.Constant(Act.Leave)),
            (2, Gen.Constant(Act.Break)),
            (3, Gen.Constant(Act.Return)),
            (8, Gen.Constant(Act.Accept)),
            (1, Gen.Constant(Act.Decline)),
            (5, Gen.Constant(Act.Wait)));
        Gen<(Act, int)[]> script = (
            from what in act
            from player in Gen.Choose(0, Players - 1)
            select (what, player)).ArrayOf();
        Prop.ForAll(script.ToArbitrary(), (Func<(Act, int)[], Task>)(acts => RunAsync(acts, acceptSeconds)))
            .Check(Config.QuickThrowOnFailure.WithMaxTest(40).WithStartSize(20).WithEndSize(120));
    }

    private static async Task RunAsync((Act, int)[] acts, int acceptSeconds)
    {
        await using RoomHarness<GameQueue> harness = await Game.StartAsync(new MatchRules<Find>
        {
            TeamSizes = [2, 2],
            Party = static find => find.Party is { } key ? new MatchParty(key, find.PartySize) : null,
            AcceptWithin = TimeSpan.FromSeconds(acceptSeconds),
            ExpireAfter = TimeSpan.FromSeconds(9),
        });
        var crowd = new Crowd(harness);
        foreach ((Act act, int player) in acts)
        {
            await crowd.DoAsync(act, player);
        }

        await harness.IdleAsync();
        await crowd.VerifyAsync();
        await harness.PassAsync(40); // all that waits expires, and all that is away ends
        await crowd.VerifyAsync();
        Assert.Equal(0, harness.Room.MemberCount);
    }

    private sealed class Crowd(RoomHarness<GameQueue> harness)
    {
        private readonly Player[] _players = [.. Enumerable.Range(0, Players).Select(static _ => new Player())];
        private readonly List<Entered> _entered = [];

        internal async Task DoAsync(Act act, int number)
        {
            Player player = _players[number];
            switch (act)
            {
                case Act.Wait:
                    await harness.PassAsync(0.1 + number); // up to 7 s
                    break;
                case Act.Enter or Act.EnterWithNext:
                    await EnterAsync(player, act == Act.Enter ? player.Invitation : Invite(number));
                    break;
                case Act.Leave when player.Client is { } client:
                    await harness.Room.LeaveAsync(SessionOf(client));
                    break;
                case Act.Break:
                    player.Client?.Break();
                    break;
                case Act.Return when player.Client is { } client && await IsBrokenAsync(client):
                    HarnessClient back = await harness.ConnectAsync();
                    if (await harness.Server.Sessions.ResumeAsync(back.Session.Connection, player.Token) is { } resumption)
                    {
                        (player.Client, player.Token) = (back, resumption.Token);
                    }

                    break;
                case Act.Accept or Act.Decline:
                    player.Client?.SendPacket(new Answered(act == Act.Accept));
                    break;
            }
        }

        /// <summary>Each ticket waits, was matched once, was told its end once, or its session has ended.</summary>
        internal async Task VerifyAsync()
        {
            (string[] waiting, (string Name, MatchState State)[] told, string[][][] matches) = await harness.Room.RequestAsync(
                static room => (room.Names(), room.Told.ToArray(), room.Matches.Select(static match => match.Teams).ToArray()));
            ILookup<string, MatchState> ends = told.Where(static each => each.State >= MatchState.Cancelled)
                .ToLookup(static each => each.Name, static each => each.State, StringComparer.Ordinal);
            Assert.Equal(waiting.Length, waiting.Distinct(StringComparer.Ordinal).Count());
            foreach (Entered entered in _entered)
            {
                int matched = matches.Sum(match => match.Sum(team => team.Count(name => name == entered.Ticket.Name)));
                int waits = waiting.Contains(entered.Ticket.Name, StringComparer.Ordinal) ? 1 : 0;
                int ended = ends[entered.Ticket.Name].Count();
                bool isGone = harness.Server.Sessions.Find(entered.SessionId) is null;
                Assert.InRange(matched + waits + ended, isGone ? 0 : 1, 1);
            }

            foreach (string[][] match in matches)
            {
                Assert.Equal([2, 2], match.Select(static team => team.Length));
                foreach (Find ticket in _entered.Select(static entered => entered.Ticket)
                    .Where(ticket => ticket.Party is not null && match.Any(team => team.Contains(ticket.Name, StringComparer.Ordinal))))
                {
                    string[] team = match.Single(each => each.Contains(ticket.Name, StringComparer.Ordinal));
                    Assert.All(team, name => Assert.Equal(ticket.Party, _entered.Single(each => each.Ticket.Name == name).Ticket.Party));
                }
            }
        }

        /// <summary>Makes a party of a player and the next one, which takes part when it enters the next time.</summary>
        private string Invite(int number)
        {
            string party = $"party {_entered.Count}";
            _players[(number + 1) % Players].Invitation = party;
            return party;
        }

        private async Task EnterAsync(Player player, string? party)
        {
            if (player.Client is null || await IsBrokenAsync(player.Client))
            {
                player.Client = await harness.ConnectAsync();
                player.Token = await harness.Server.Sessions.IssueResumeTokenAsync(player.Client.Session);
            }

            Session session = SessionOf(player.Client);
            var ticket = new Find($"{_entered.Count}", Party: party, PartySize: 2);
            if ((await harness.Room.JoinAsync(session, ticket)).IsJoined)
            {
                player.Invitation = null;
                _entered.Add(new Entered(ticket, session.Id));
            }
        }

        /// <summary>A client that has resumed has the session of an earlier one.</summary>
        private static Session SessionOf(HarnessClient client) => Session.Of(client.Session.Connection);

        private async Task<bool> IsBrokenAsync(HarnessClient client)
        {
            await harness.IdleAsync();
            return client.Closed.IsCompleted;
        }
    }

    private sealed record Entered(Find Ticket, long SessionId);

    private sealed class Player
    {
        internal HarnessClient? Client { get; set; }

        internal ReadOnlyMemory<byte> Token { get; set; }

        /// <summary>The party that the player enters with the next time.</summary>
        internal string? Invitation { get; set; }
    }
}
