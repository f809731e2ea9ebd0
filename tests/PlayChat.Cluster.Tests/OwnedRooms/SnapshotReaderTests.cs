using PlayChat.Cluster.Log;
using PlayChat.Cluster.OwnedRooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Cluster.Tests.OwnedRooms;

public sealed class SnapshotReaderTests
{
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
        Assert.All(parts[..^1], part => Assert.False(reader.TryRead(part, out _, out _)));
        Assert.True(reader.TryRead(parts[^1], out ClusterSeat[] seats, out byte[]? read));
        Assert.Equal(state, read);
        Assert.Equal(s_seats.Select(Describe), seats.Select(Describe), StringComparer.Ordinal);
    }

    [Fact]
    public void A_room_without_a_state_differs_from_one_with_an_empty_state()
    {
        var reader = new SnapshotReader();

        Assert.True(reader.TryRead(SnapshotReader.Write([], null, 1024).Single(), out _, out byte[]? none));
        Assert.True(reader.TryRead(SnapshotReader.Write([], [], 1024).Single(), out _, out byte[]? empty));

        Assert.Null(none);
        Assert.Empty(Assert.IsType<byte[]>(empty));
    }

    [Fact]
    public void A_snapshot_with_a_missing_part_is_not_read_and_the_next_one_is()
    {
        byte[][] parts = [.. SnapshotReader.Write(s_seats, null, 32)];
        var reader = new SnapshotReader();

        bool[] read = [.. parts[1..].Concat(parts).Select(part => reader.TryRead(part, out _, out _))];

        Assert.Equal([.. Enumerable.Repeat(false, read.Length - 1), true], read);
    }

    private static string Describe(ClusterSeat seat) =>
        $"{seat.SessionId} {seat.Join} {seat.Node} {seat.User?.Id} {seat.User?.Name} {Convert.ToHexString(seat.Argument)}";
}
