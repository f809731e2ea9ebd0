using PlayChat.Chat.Cluster;
using PlayChat.Cluster.Directory;
using PlayChat.Cluster.Log;

namespace PlayChat.Server.Tests.Cluster;

/// <summary>The members of a room by the directory and by the log, which may be ahead of each other.</summary>
public sealed class RoomRosterTests
{
    private const long Ann = 1;

    private static readonly RecordOrigin s_here = new(1, 10);
    private static readonly RecordOrigin s_there = new(2, 20);

    [Fact]
    public void A_leave_that_the_directory_knew_before_the_log_is_told_once()
    {
        var roster = new RoomRoster();
        roster.Fill([]);

        Assert.Equal("Ann", roster.Apply(Left(s_there, session: 5), isEarlier: false)?.Name);
        Assert.Null(roster.Apply(Left(s_there, session: 5), isEarlier: false));
    }

    [Fact]
    public void A_leave_is_told_again_after_the_directory_was_read()
    {
        var roster = new RoomRoster();
        roster.Apply(Left(s_here, session: 4), isEarlier: true);
        roster.Fill([]);

        Assert.NotNull(roster.Apply(Left(s_there, session: 5), isEarlier: false));
    }

    [Fact]
    public void Nobody_hears_of_a_refused_player()
    {
        var roster = new RoomRoster();
        roster.Fill([]);

        Assert.Null(roster.Apply(Left(s_there, session: 5, number: 0), isEarlier: false));
    }

    [Fact]
    public void Who_has_left_for_good_is_gone_although_the_directory_knows_another_session()
    {
        var roster = new RoomRoster();
        roster.Apply(Left(s_there, session: 5, farewell: "Ann has left."), isEarlier: true);

        roster.Fill([new ClusterMember(Ann, 4, "Ann") { Node = s_here }]);

        Assert.Empty(roster.Shown);
    }

    [Fact]
    public void Who_has_joined_since_then_is_there()
    {
        var roster = new RoomRoster();
        roster.Apply(Left(s_there, session: 5, farewell: "Ann has left."), isEarlier: true);
        roster.Apply(Entry(RoomEntryKind.Joined, s_here, session: 4, number: 1, "den"), isEarlier: true);

        roster.Fill([new ClusterMember(Ann, 4, "Ann") { Node = s_here }]);

        Assert.Equal("Ann", Assert.Single(roster.Shown).Name);
    }

    [Fact]
    public void What_players_are_through_a_dead_node_can_be_taken_out()
    {
        var roster = new RoomRoster();
        roster.Fill([
            new ClusterMember(Ann, 4, "Ann") { Node = s_here },
            new ClusterMember(Ann, 5, "Ann") { Node = s_there },
            new ClusterMember(2, 6, "Bob") { Node = s_there },
        ]);

        Assert.True(roster.Remove(s_there));

        Assert.Equal("Ann", Assert.Single(roster.Shown).Name);
        Assert.False(roster.Remove(s_there));
    }

    private static RoomEntry Left(RecordOrigin node, long session, long number = 1, string farewell = "") =>
        Entry(RoomEntryKind.Left, node, session, number, farewell);

    private static RoomEntry Entry(RoomEntryKind kind, RecordOrigin node, long session, long number, string text) => new(
        kind, new LogPosition(1, 1, 0), node, RoomId: 7, Ann, Token: 0, new RoomEntryBody(number, node, session, 0, "Ann", text));
}
