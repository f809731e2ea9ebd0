using PlayChat.Cluster.Tests.Local;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Matchmaking;
using static PlayChat.Cluster.Tests.Rooms.HallPackets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>Queues of PlayChat.Matchmaking that a cluster shares.</summary>
public sealed class MatchQueueTests() : HallContract(LocalSpace.CreateAsync)
{
    [Fact]
    public async Task A_player_is_in_one_queue_at_a_time()
    {
        HallNode node = await StartAsync();
        await node.JoinAsync("ann");
        Session ann = node.Server.Sessions.FindUser("ann")!;
        Queue duels = Create(node, "duels");
        Queue teams = Create(node, "teams");

        JoinResult<MatchPlayer<Enter>> joined = await duels.JoinAsync(ann, new Enter("ann"));
        JoinResult<MatchPlayer<Enter>> again = await duels.JoinAsync(ann, new Enter("ann"));
        JoinResult<MatchPlayer<Enter>> other = await teams.JoinAsync(ann, new Enter("ann"));
        await duels.LeaveAsync(ann);
        JoinResult<MatchPlayer<Enter>> later = await teams.JoinAsync(ann, new Enter("ann"));

        Assert.Equal((JoinStatus.Joined, JoinStatus.AlreadyMember), (joined.Status, again.Status));
        Assert.Equal((JoinStatus.Refused, "The player is in a queue already."), (other.Status, other.Reason));
        Assert.Equal(JoinStatus.Joined, later.Status);
    }

    private static Queue Create(HallNode node, string name) => node.Server.Rooms.Create(
        new RoomSettings { Name = name, IsClustered = true }, static context => new Queue(context));

    private sealed class Queue(RoomContext context) : MatchQueue<Enter>(context, new MatchRules<Enter> { TeamSizes = [2] })
    {
        protected override void OnStatus(MatchPlayer<Enter> player, MatchStatus status)
        {
        }

        protected override void OnMatch(IReadOnlyList<MatchSeat<Enter>> seats)
        {
        }
    }
}
