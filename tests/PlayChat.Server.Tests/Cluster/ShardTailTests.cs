using PlayChat.Chat.Cluster;
using PlayChat.Cluster.Log;
using PlayChat.Testing;

namespace PlayChat.Server.Tests.Cluster;

public sealed class ShardTailTests
{
    private static readonly RecordOrigin s_first = new(1, 10);
    private static readonly RecordOrigin s_second = new(2, 20);

    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void It_gives_the_records_of_a_room_and_of_a_node_in_the_order_of_the_log()
    {
        ShardTail tail = Create();
        Add(tail, 5, s_first, roomId: 1, "one", token: 98);
        Add(tail, 6, s_second, roomId: 2, "two");
        Add(tail, 7, s_second, roomId: 1, "three");

        Assert.Equal(["one", "three"], Texts(tail.OfRoom(1)));
        Assert.Equal(["two", "three"], Texts(tail.OfNode(s_second)));
        RoomEntry last = tail.OfRoom(1)[1];
        Assert.Equal(
            (RoomEntryKind.Chat, At(7), s_second, 1L, 42L, 99UL),
            (last.Kind, last.Position, last.Origin, last.RoomId, last.UserId, last.Token));
    }

    [Fact]
    public void A_message_that_a_player_has_sent_again_is_of_the_node_that_published_it_first()
    {
        ShardTail tail = Create();
        Add(tail, 5, s_first, roomId: 1, "hello");
        Add(tail, 6, s_second, roomId: 1, "hello");

        Assert.Single(tail.OfNode(s_first));
        Assert.Empty(tail.OfNode(s_second));
    }

    [Fact]
    public void It_reaches_back_to_the_record_before_the_first_one_that_it_has()
    {
        ShardTail tail = Create();
        tail.Begin(RoomEntry.SequenceOf(At(5)));

        Add(tail, 5, s_first, roomId: 1, "one");

        Assert.Equal(RoomEntry.SequenceOf(At(5)) - 1, tail.ReachesBackTo);
    }

    [Fact]
    public void Beyond_its_bytes_it_drops_the_oldest_and_says_how_far_it_reaches_back()
    {
        ShardTail tail = Create(maxBytes: 64 << 10);
        const int Count = 2000;

        for (int i = 1; i <= Count; i++)
        {
            Add(tail, i, s_first, roomId: 1, $"text {i}");
        }

        RoomEntry[] kept = tail.OfRoom(1);
        Assert.InRange(kept.Length, 100, 500); // 64 KiB of 150 bytes each, less a chunk
        Assert.Equal($"text {Count}", kept[^1].Body.Text);
        Assert.Equal([.. Enumerable.Range(Count - kept.Length + 1, kept.Length).Select(static i => $"text {i}")], Texts(kept));
        Assert.Equal(RoomEntry.SequenceOf(At(Count - kept.Length)), tail.ReachesBackTo);
    }

    [Fact]
    public void It_drops_chunks_whose_newest_record_is_too_old()
    {
        const int Old = 20;
        const int PerChunk = 7; // 140 bytes each in a kilobyte
        ShardTail tail = Create(maxBytes: 8 << 10);
        for (int i = 1; i <= Old; i++)
        {
            Add(tail, i, s_first, roomId: 1, "old");
        }

        _time.Advance(TimeSpan.FromMinutes(2));
        for (int i = 1; i <= PerChunk; i++)
        {
            Add(tail, Old + i, s_first, roomId: 1, "new");
        }

        Assert.InRange(Texts(tail.OfRoom(1)).Count(static text => text == "old"), 0, PerChunk - 1); // a chunk with a new record stays
        Assert.Equal(RoomEntry.SequenceOf(tail.OfRoom(1)[0].Position) - (1 << 12), tail.ReachesBackTo);
    }

    [Fact]
    public void The_newest_record_stays_however_large_and_old_it_is()
    {
        ShardTail tail = Create(maxBytes: 1 << 10);
        string text = new('a', 60_000);

        Add(tail, 1, s_first, roomId: 1, text);
        Add(tail, 2, s_first, roomId: 1, text);

        Assert.Equal(At(2), Assert.Single(tail.OfRoom(1)).Position);
    }

    [Fact]
    public void After_missing_records_it_begins_anew()
    {
        ShardTail tail = Create();
        Add(tail, 1, s_first, roomId: 1, "before");

        tail.Restart(through: 500);
        Assert.Equal(500, tail.ReachesBackTo);
        Assert.Empty(tail.OfRoom(1));

        Add(tail, 9, s_first, roomId: 1, "behind");
        Assert.Equal("behind", Assert.Single(tail.OfRoom(1)).Body.Text);
    }

    private static string[] Texts(RoomEntry[] entries) => [.. entries.Select(static entry => entry.Body.Text)];

    private static LogPosition At(long offset) => new(1, offset, 0);

    private static void Add(ShardTail tail, long offset, RecordOrigin origin, long roomId, string text, ulong token = 99)
    {
        byte[] body = new RoomEntryBody(1, origin, SessionId: 3, SentAtUnixMs: 4, "ada", text).Encode();
        var record = new RoomRecord { Kind = (byte)RoomEntryKind.Chat, RoomId = roomId, UserId = 42, Token = token, Body = body };
        tail.Add(At(offset), origin, in record);
    }

    private ShardTail Create(long maxBytes = 1 << 20) => new(maxBytes, TimeSpan.FromMinutes(1), _time);
}
