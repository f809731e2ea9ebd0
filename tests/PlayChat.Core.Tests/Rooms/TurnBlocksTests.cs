using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary><see cref="TurnBlocks"/> and <see cref="MemberViews"/> without an outbox around them.</summary>
public sealed class TurnBlocksTests
{
    [Fact]
    public async Task A_connection_gets_the_frames_between_two_positions_also_across_blocks()
    {
        await using var sessions = new StubSessions();
        var blocks = new TurnBlocks(sessions.Format, sessions.Pool);
        List<TurnPosition> positions = [default];
        for (int i = 0; i < 20; i++)
        {
            // Frames of 300 bytes: the first block, of the smallest size, takes three.
            Add(ref blocks, $"{i}".PadRight(300));
            positions.Add(blocks.End);
        }

        Assert.True(blocks.End.Block > 0);
        for (int from = 0; from < positions.Count; from++)
        {
            for (int to = from; to < positions.Count; to++)
            {
                Session session = sessions.Open();
                int delivered = blocks.Send(session.Connection, positions[from], positions[to], flush: true);

                Assert.Equal(to - from, delivered);
                Assert.Equal(
                    Enumerable.Range(from, to - from).Select(static i => $"{i}").ToArray(),
                    Array.ConvertAll(sessions.Received(session), static body => body.Trim()));
            }
        }

        blocks.Clear();
        Assert.True(blocks.IsEmpty);
        Assert.Equal(default, blocks.End);
    }

    [Fact]
    public async Task Only_frames_that_may_be_lost_are_missing_for_a_connection_that_is_behind()
    {
        await using var sessions = new StubSessions(static options => options.MaxOutboundBytes = 8192);
        var blocks = new TurnBlocks(sessions.Format, sessions.Pool);
        Session behind = sessions.Open();
        sessions.LinkOf(behind).HoldSends = true;
        behind.Connection.Send(new byte[2000]); // more than a sixteenth waits

        Assert.False(blocks.HasLoose);
        Add(ref blocks, "reliable");
        Add(ref blocks, "loose", Delivery.DropIfBehind);
        Add(ref blocks, "reliable too");

        Assert.True(blocks.HasLoose);
        Assert.Equal(2, blocks.Send(behind.Connection, default, blocks.End, flush: true));
        blocks.Clear();
        Assert.False(blocks.HasLoose);
        sessions.LinkOf(behind).HoldSends = false;
        sessions.LinkOf(behind).CompleteSend();
        Assert.Equal(["reliable", "reliable too"], sessions.Received(behind)[1..]);
    }

    [Fact]
    public async Task A_member_gets_what_it_has_not_been_given_without_its_gaps()
    {
        await using var sessions = new StubSessions();
        var blocks = new TurnBlocks(sessions.Format, sessions.Pool);
        var views = new MemberViews();
        Session[] members = sessions.Open(3);
        Assert.True(views.AreAlike);

        Add(ref blocks, "0");
        views.MoveTo(1, blocks.End);
        for (int i = 1; i < 6; i++)
        {
            TurnPosition before = blocks.End;
            Add(ref blocks, $"{i}");
            if (i % 2 == 0)
            {
                views.LeaveOut(1, before, blocks.End);
                views.LeaveOut(2, before, blocks.End);
            }
        }

        Assert.False(views.AreAlike);
        Assert.Equal(1, views.PositionOf(1).Frames);
        int[] delivered = [.. Enumerable.Range(0, 3).Select(
            member => views.Send(member, members[member].Connection, in blocks, flush: true))];
        Assert.Equal([6, 3, 4], delivered);
        Assert.Equal(["0", "1", "2", "3", "4", "5"], sessions.Received(members[0]));
        Assert.Equal(["1", "3", "5"], sessions.Received(members[1]));
        Assert.Equal(["0", "1", "3", "5"], sessions.Received(members[2]));

        blocks.Clear();
        views.Clear();
        Assert.True(views.AreAlike);
        Assert.Equal(default, views.PositionOf(1));
    }

    [Fact]
    public async Task A_busy_room_gets_one_block_a_turn()
    {
        await using var sessions = new StubSessions();
        var blocks = new TurnBlocks(sessions.Format, sessions.Pool);

        int[] last = [.. Enumerable.Range(0, 2).Select(_ =>
        {
            for (int i = 0; i < 20; i++)
            {
                Add(ref blocks, new string('x', 300));
            }

            int block = blocks.End.Block;
            blocks.Clear();
            return block;
        })];

        Assert.True(last[0] > 0);
        Assert.Equal(0, last[1]);
    }

    private static void Add(ref TurnBlocks blocks, string text, Delivery delivery = default)
    {
        Span<byte> body = blocks.BeginFrame(default, text.Length);
        Encoding.Latin1.GetBytes(text, body);
        blocks.EndFrame(body, delivery);
    }
}
