using PlayChat.Chat.Rooms;
using PlayChat.Protocol;

namespace PlayChat.Server.Tests.Rooms;

public sealed class RoomHistoryTests
{
    private const int Plenty = 1_000_000;

    private static readonly Member s_kim = new() { PlayerId = 1, Name = "kim" };

    [Theory]
    [InlineData(1, 1)]
    [InlineData(7, 7)]
    [InlineData(8, 3)]
    [InlineData(100, 9)]
    public void Pages_in_either_direction_meet_every_message_once(int maxEvents, int limit)
    {
        var history = new RoomHistory(maxEvents, Plenty);
        for (int i = 1; i <= 50; i++)
        {
            Add(history, i);
        }

        List<long> back = [];
        HistorySlice slice;
        long from = long.MaxValue;
        do
        {
            slice = history.Before(1, from, limit, Plenty, readerId: 0);
            back.InsertRange(0, slice.Messages.Select(message => message.Sequence));
            from = back[0];
        }
        while (slice.More);

        List<long> forward = [];
        from = 0;
        do
        {
            slice = history.After(1, from, limit, Plenty, readerId: 0);
            forward.AddRange(slice.Messages.Select(message => message.Sequence));
            from = forward[^1];
        }
        while (slice.More);

        int held = Math.Min(50, maxEvents);
        Assert.Equal(Enumerable.Range(51 - held, held).Select(i => (long)i), back);
        Assert.Equal(back, forward);
        Assert.Equal(50 - held, slice.LetGoThrough);
    }

    [Fact]
    public void Bytes_bound_it_as_well_and_one_event_over_the_bound_empties_it()
    {
        var history = new RoomHistory(100, maxBytes: 30);
        Add(history, 1, bytes: 10);
        Add(history, 2, bytes: 10);
        Add(history, 3, bytes: 15);

        HistorySlice two = history.After(1, 0, 100, Plenty, readerId: 0);
        Add(history, 4, bytes: 31);
        HistorySlice none = history.After(1, 0, 100, Plenty, readerId: 0);
        Add(history, 5, bytes: 30);
        HistorySlice one = history.After(1, 0, 100, Plenty, readerId: 0);

        Assert.Equal([2L, 3L], Sequences(two));
        Assert.Equal(1L, two.LetGoThrough);
        Assert.Equal([], Sequences(none));
        Assert.Equal(4L, none.LetGoThrough);
        Assert.Equal([5L], Sequences(one));
        Assert.Equal(4L, one.LetGoThrough);
    }

    [Fact]
    public void A_page_ends_where_its_bytes_do_but_has_one_message_at_least()
    {
        var history = new RoomHistory(100, Plenty);
        Add(history, 1, bytes: 10);
        Add(history, 2, bytes: 10);
        Add(history, 3, bytes: 50);

        HistorySlice forward = history.After(1, 0, 100, pageBytes: 20, readerId: 0);
        HistorySlice back = history.Before(1, long.MaxValue, 100, pageBytes: 20, readerId: 0);

        Assert.Equal([1L, 2L], Sequences(forward));
        Assert.True(forward.More);
        Assert.Equal([3L], Sequences(back));
        Assert.True(back.More);
    }

    [Fact]
    public void Joins_take_their_places_but_are_no_messages()
    {
        var history = new RoomHistory(2, Plenty);
        Add(history, 1, RoomEventKind.Join);
        Add(history, 2);
        Add(history, 3, RoomEventKind.Join);
        Add(history, 4, RoomEventKind.Leave);

        HistorySlice slice = history.After(1, 0, 100, Plenty, readerId: 0);

        SRoomChatNtf left = Assert.Single(slice.Messages);
        Assert.Equal(
            (4, true, ChatLimits.SystemName, 0L, 0L), (left.Sequence, left.System, left.PlayerName, left.PlayerId, left.PreviousSequence));
        Assert.Equal(2, slice.LetGoThrough);
    }

    [Fact]
    public void What_the_log_refused_is_lost_only_when_the_memory_has_let_it_go()
    {
        var history = new RoomHistory(2, Plenty);
        Add(history, 1);
        Add(history, 2);
        history.NoteRefused(2);

        bool before = history.After(1, 0, 100, Plenty, readerId: 0).HasLost(0, long.MaxValue);
        Add(history, 3);
        Add(history, 4);
        HistorySlice after = history.After(1, 0, 100, Plenty, readerId: 0);

        Assert.False(before);
        Assert.True(after.HasLost(0, long.MaxValue));
        Assert.True(after.HasLost(1, 2));
        Assert.False(after.HasLost(2, long.MaxValue));
        Assert.False(after.HasLost(0, 1));
    }

    [Fact]
    public void A_message_that_was_deleted_stays_so()
    {
        var history = new RoomHistory(2, Plenty);
        Add(history, 1);

        history.Change(1, "changed", editedAtUnixMs: 5);
        string? changed = history.Find(1)?.Text;
        history.Change(1, "", editedAtUnixMs: 6);
        history.Change(1, "late", editedAtUnixMs: 7);

        Assert.Equal(("changed", "", 6L), (changed, history.Find(1)?.Text, history.Find(1)?.EditedAtUnixMs));
    }

    private static List<long> Sequences(HistorySlice slice) => slice.Messages.ConvertAll(message => message.Sequence);

    private static void Add(RoomHistory history, long sequence, RoomEventKind kind = RoomEventKind.Chat, int bytes = 10) =>
        history.Add(new RoomEvent(kind, sequence, sequence - 1, 0, s_kim, $"message {sequence}", bytes));

    private static void Add(RoomHistory history, long sequence, int bytes) => Add(history, sequence, RoomEventKind.Chat, bytes);
}
