using PlayChat.Cluster.Log;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Cluster.Tests.OwnedRooms;

public sealed class SnapshotReaderTests
{
    private static readonly RecordOrigin s_owner = new(3, 30);

    private static readonly ClusterSeat[] s_seats =
    [
        new(1, 5, new RecordOrigin(1, 10), new SessionUser(7, "ann"), [1, 2, 3]),
        new(2, 6, new RecordOrigin(2, 20), null, []),
    ];

    [Theory]
    [InlineData(9)]
    [InlineData(16)]
    [InlineData(1024)]
    public void A_snapshot_is_read_whatever_the_size_of_its_records_is(int maxBytes)
    {
        byte[] state = [.. Enumerable.Range(0, 100).Select(static i => (byte)i)];
        byte[][] parts = [.. SnapshotReader.Write(s_seats, state, maxBytes)];
        var reader = new SnapshotReader();

        Assert.All(parts, part => Assert.InRange(part.Length, 1, maxBytes));
        Assert.All(parts[..^1], part => Assert.False(reader.TryRead(s_owner, part, out _, out _)));
        Assert.True(reader.TryRead(s_owner, parts[^1], out ClusterSeat[] seats, out byte[]? read));
        Assert.Equal(state, read);
        Assert.Equal(s_seats.Select(Describe), seats.Select(Describe), StringComparer.Ordinal);
    }

    [Fact]
    public void A_room_without_a_state_differs_from_one_with_an_empty_state()
    {
        var reader = new SnapshotReader();

        Assert.True(reader.TryRead(s_owner, SnapshotReader.Write([], null, 1024).Single(), out _, out byte[]? none));
        Assert.True(reader.TryRead(s_owner, SnapshotReader.Write([], [], 1024).Single(), out _, out byte[]? empty));

        Assert.Null(none);
        Assert.Empty(Assert.IsType<byte[]>(empty));
    }

    [Fact]
    public void A_snapshot_with_a_missing_part_is_not_read_and_the_next_one_is()
    {
        byte[][] parts = [.. SnapshotReader.Write(s_seats, null, 32)];
        var reader = new SnapshotReader();

        bool[] read = [.. parts[1..].Concat(parts).Select(part => reader.TryRead(s_owner, part, out _, out _))];

        Assert.Equal([.. Enumerable.Repeat(false, read.Length - 1), true], read);
    }

    [Fact]
    public void Parts_of_two_owners_or_on_both_sides_of_a_gap_are_no_snapshot()
    {
        byte[][] parts = [.. SnapshotReader.Write(s_seats, null, 64)];
        var reader = new SnapshotReader();
        Assert.Equal(2, parts.Length);

        Assert.False(reader.TryRead(s_owner, parts[0], out _, out _));
        Assert.False(reader.TryRead(new RecordOrigin(4, 40), parts[1], out _, out _));
        Assert.False(reader.TryRead(s_owner, parts[0], out _, out _));
        reader.Reset();
        Assert.False(reader.TryRead(s_owner, parts[1], out _, out _));

        Assert.False(reader.TryRead(s_owner, parts[0], out _, out _));
        Assert.True(reader.TryRead(s_owner, parts[1], out _, out _));
    }

    [Fact]
    public void A_whole_snapshot_names_the_nodes_of_its_members_alone()
    {
        byte[] whole = SnapshotReader.Write(s_seats, [1, 2, 3], 1024).Single();

        Assert.All(s_seats, seat => Assert.True(SnapshotReader.MayName(seat.Node, whole)));
        Assert.False(SnapshotReader.MayName(new RecordOrigin(2, 10), whole));
        Assert.All(SnapshotReader.Write(s_seats, null, 32), part => Assert.True(SnapshotReader.MayName(s_owner, part)));
    }

    private static string Describe(ClusterSeat seat) =>
        $"{seat.SessionId} {seat.Join} {seat.Node} {seat.User?.Id} {seat.User?.Name} {Convert.ToHexString(seat.Argument)}";
}
