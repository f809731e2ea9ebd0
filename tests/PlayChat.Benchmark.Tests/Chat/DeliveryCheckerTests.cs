using Google.Protobuf;
using PlayChat.Core.Diagnostics;
using PlayChat.Kpi;
using PlayChat.Protocol;
using PlayChat.TestUtilities;

namespace PlayChat.Benchmark.Tests.Chat;

public sealed class DeliveryCheckerTests
{
    private const int Rooms = 2;
    private const long RoomId = 7;

    private readonly ChatRoster _roster = new(clients: 6, Rooms);
    private readonly ChatTextCodec _codec = new(seed: 1);
    private readonly MeasureWindow _window = new(1_000, 2_000);
    private readonly FanoutLog _log;
    private readonly DeliveryChecker _checker;

    public DeliveryCheckerTests()
    {
        for (int client = 0; client < _roster.Clients; client++)
        {
            _roster.PlayerIds[client] = 100 + client;
        }

        // Clients 0, 2 and 4 are in this room; it has had five joins and the like.
        _log = new FanoutLog(_roster, late: TimeSpan.FromMilliseconds(50));
        _log.Arrivals.Begin(messagesPerSecond: 100, seconds: 5);
        _checker = new DeliveryChecker(_roster, _codec, receiver: 0, _log);
        _checker.OnJoined(RoomId, latestSequence: 5);
    }

    [Fact]
    public void Deliveries_in_order_are_counted_and_timed_from_the_planned_time()
    {
        Receive(Message(6, sender: 0, number: 0, planned: 999));
        Receive(Message(7, sender: 2, number: 0, planned: 1_000));
        Receive(Message(8, sender: 0, number: 1, planned: 1_999));
        Receive(Message(9, sender: 4, number: 0, planned: 2_000));

        AssertFaults();
        Assert.Equal(4, _checker.Counter.Delivered);
        Assert.Equal(2, _checker.Counter.Measured);
        LatencySummary latency = _log.Rooms.Snapshot().Summarize();
        Assert.Equal((2, 3.0 - 1.0), (latency.Count, latency.MaxMicroseconds)); // received at 3 µs
    }

    [Fact]
    public void A_lost_delivery_is_missing_from_the_count_and_is_no_other_fault()
    {
        Receive(Message(6, sender: 0, number: 0));
        Receive(Message(8, sender: 0, number: 2));

        AssertFaults();
        Assert.Equal(2, _checker.Counter.Delivered);
    }

    [Fact]
    public void A_delivery_that_comes_twice_is_duplicated_and_counts_once()
    {
        Receive(Message(6, sender: 0, number: 0));
        Receive(Message(6, sender: 0, number: 0));

        AssertFaults(duplicated: 1);
        Assert.Equal(1, _checker.Counter.Delivered);
    }

    [Fact]
    public void A_message_that_gets_two_sequences_is_duplicated()
    {
        Receive(Message(6, sender: 0, number: 0));
        Receive(Message(7, sender: 0, number: 0));

        AssertFaults(duplicated: 1);
        Assert.Equal(1, _checker.Counter.Delivered);
    }

    [Fact]
    public void Two_deliveries_in_the_wrong_order_are_reordered_and_both_count()
    {
        Receive(Message(7, sender: 0, number: 1));
        Receive(Message(6, sender: 0, number: 0));

        AssertFaults(reordered: 1);
        Assert.Equal(2, _checker.Counter.Delivered);
    }

    [Fact]
    public void Messages_of_a_sender_that_get_their_sequences_in_the_wrong_order_are_reordered()
    {
        Receive(Message(6, sender: 0, number: 1));
        Receive(Message(7, sender: 0, number: 0));

        AssertFaults(reordered: 1);
        Assert.Equal(2, _checker.Counter.Delivered);
    }

    [Fact]
    public void A_hole_that_has_been_filled_is_duplicated_when_it_is_filled_again()
    {
        Receive(Message(9, sender: 0, number: 3));
        Receive(Message(7, sender: 0, number: 1));
        Receive(Message(7, sender: 0, number: 1));

        AssertFaults(duplicated: 1, reordered: 1);
        Assert.Equal(2, _checker.Counter.Delivered);
    }

    [Fact]
    public void A_changed_text_is_corrupted()
    {
        SRoomChatNtf message = Message(6, sender: 0, number: 0);
        message.Text = message.Text[..^1] + "_";

        Receive(message);

        AssertFaults(corrupted: 1);
        Assert.Equal(0, _checker.Counter.Delivered);
    }

    [Fact]
    public void Another_players_name_on_a_text_is_corrupted()
    {
        SRoomChatNtf message = Message(6, sender: 0, number: 0);
        message.PlayerId = 102;

        Receive(message);

        AssertFaults(corrupted: 1);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(99)]
    public void A_text_of_a_sender_from_another_room_or_of_none_is_corrupted(int sender)
    {
        Receive(Message(6, sender, number: 0));

        AssertFaults(corrupted: 1);
    }

    [Fact]
    public void A_delivery_of_another_room_is_corrupted()
    {
        SRoomChatNtf message = Message(6, sender: 0, number: 0);
        message.RoomId = RoomId + 1;

        Receive(message);

        AssertFaults(corrupted: 1);
    }

    [Fact]
    public void Bytes_that_are_no_message_are_corrupted()
    {
        _checker.OnChat([0xff], 0, _window);

        AssertFaults(corrupted: 1);
    }

    [Fact]
    public void A_sequence_whose_predecessor_was_not_the_newest_is_corrupted()
    {
        SRoomChatNtf message = Message(6, sender: 0, number: 0);
        message.PreviousSequence = 4;

        Receive(message);

        AssertFaults(corrupted: 1);
    }

    [Fact]
    public void Joins_and_system_messages_take_their_place_in_the_sequence()
    {
        _checker.OnOtherJoined(RoomId, 6, 5);
        Receive(new SRoomChatNtf { RoomId = RoomId, Sequence = 7, PreviousSequence = 6, System = true, Text = "Ann has left the room." });
        Receive(Message(8, sender: 0, number: 0));
        _checker.OnOtherJoined(RoomId, 8, 7);

        AssertFaults(duplicated: 1);
        Assert.Equal(1, _checker.Counter.Delivered);
    }

    [Fact]
    public void Checking_a_delivery_allocates_nothing()
    {
        byte[][] bodies = Enumerable.Range(0, 200).Select(i => Message(6 + i, sender: 0, number: i).ToByteArray()).ToArray();
        _checker.OnChat(bodies[0], 3_000, _window);

        int next = 1;
        long allocated = AllocatedBytes.Least(() =>
        {
            for (int end = next + 39; next < end; next++)
            {
                _checker.OnChat(bodies[next], 3_000, _window);
            }
        });

        Assert.Equal(0, allocated);
        Assert.Equal(next, _checker.Counter.Delivered);
    }

    private SRoomChatNtf Message(long sequence, int sender, int number, long planned = 1_500)
    {
        byte[] text = new byte[64];
        _codec.Write(text, new ChatText(sender, number, planned));
        return new SRoomChatNtf
        {
            RoomId = RoomId,
            Sequence = sequence,
            PreviousSequence = sequence - 1,
            PlayerId = sender < _roster.Clients ? _roster.PlayerIds[sender] : 1,
            PlayerName = "someone",
            Text = System.Text.Encoding.ASCII.GetString(text),
        };
    }

    private void Receive(SRoomChatNtf message) => _checker.OnChat(message.ToByteArray(), now: 3_000, _window);

    private void AssertFaults(long duplicated = 0, long reordered = 0, long corrupted = 0) =>
        Assert.Equal(
            (duplicated, reordered, corrupted), (_checker.Counter.Duplicated, _checker.Counter.Reordered, _checker.Counter.Corrupted));
}
