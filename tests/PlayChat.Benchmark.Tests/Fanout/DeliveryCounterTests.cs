namespace PlayChat.Benchmark.Tests.Fanout;

public sealed class DeliveryCounterTests
{
    private const long Millisecond = 1_000_000;

    // Clients 0 and 2 are in room 0, 1 and 3 in room 1.
    private readonly ChatRoster _roster = new(clients: 4, rooms: 2);
    private readonly MeasureWindow _window = new(0, 1000 * Millisecond);
    private readonly FanoutLog _log;
    private readonly DeliveryCounter[] _receivers;

    public DeliveryCounterTests()
    {
        _log = new FanoutLog(_roster, late: TimeSpan.FromMilliseconds(50));
        _log.Arrivals.Begin(messagesPerSecond: 10, seconds: 1);
        _receivers = Enumerable.Range(0, _roster.Clients).Select(client => new DeliveryCounter(_roster, client, _log)).ToArray();
    }

    [Fact]
    public void A_delivery_over_the_limit_is_late()
    {
        Receive(receiver: 0, sender: 2, number: 0, sequence: 1, after: 50 * Millisecond);
        Receive(receiver: 0, sender: 2, number: 1, sequence: 2, after: (50 * Millisecond) + 1);

        Assert.Equal((2, 1), (_receivers[0].Measured, _receivers[0].Late));
    }

    [Fact]
    public void The_last_members_latency_is_that_of_the_one_who_gets_a_message_last()
    {
        Receive(receiver: 0, sender: 0, number: 0, sequence: 1, after: 3 * Millisecond);
        Assert.Equal(0, _log.Arrivals.LastMember.Count);

        Receive(receiver: 2, sender: 0, number: 0, sequence: 1, after: 7 * Millisecond);

        Assert.Equal((1, 7_000.0), (_log.Arrivals.LastMember.Count, _log.Arrivals.LastMember.MaxMicroseconds));
    }

    [Fact]
    public void What_did_not_come_is_named_with_its_sequence_when_another_member_got_it()
    {
        int[] sent = [3, 0, 0, 0];
        Receive(receiver: 0, sender: 0, number: 0, sequence: 5);
        Receive(receiver: 0, sender: 0, number: 1, sequence: 6);
        Receive(receiver: 2, sender: 0, number: 0, sequence: 5);

        MissingDelivery[] missing = FanoutLog.FindMissing(_receivers, client => sent[client]).ToArray();

        Assert.Equal(
            [new(Room: 0, Receiver: 0, Sender: 0, Number: 2, Sequence: null), new(0, 2, 0, 1, 6), new(0, 2, 0, 2, null)],
            missing);
        Assert.Equal("Receiver 2 in room 0 did not get sequence 6: number 1 of sender 0.", missing[1].ToString());
    }

    [Fact]
    public void A_hole_in_the_middle_is_missing_until_it_is_filled()
    {
        Receive(receiver: 2, sender: 0, number: 0, sequence: 1);
        Receive(receiver: 2, sender: 0, number: 2, sequence: 3);
        Assert.Equal(1, Assert.Single(_receivers[2].FindMissing(client => client == 0 ? 3 : 0)).Number);

        Receive(receiver: 2, sender: 0, number: 1, sequence: 2);

        Assert.Empty(_receivers[2].FindMissing(client => client == 0 ? 3 : 0));
        Assert.Equal(1, _receivers[2].Reordered);
    }

    [Fact]
    public void Members_that_know_a_message_by_another_sequence_have_no_common_order()
    {
        _log.Arrivals.Begin(messagesPerSecond: 10, seconds: 1);
        Receive(receiver: 0, sender: 0, number: 0, sequence: 1);
        Receive(receiver: 2, sender: 0, number: 0, sequence: 1);
        Receive(receiver: 0, sender: 0, number: 1, sequence: 2);
        Receive(receiver: 2, sender: 0, number: 1, sequence: 3);

        Assert.Equal((0, 1), (_receivers[0].Reordered, _receivers[2].Reordered));
    }

    [Fact]
    public void The_slowest_room_stands_against_the_median_room()
    {
        Receive(receiver: 0, sender: 0, number: 0, sequence: 1, after: 1 * Millisecond);
        Receive(receiver: 1, sender: 1, number: 0, sequence: 1, after: 3 * Millisecond);

        IReadOnlyList<(int Room, double P99Microseconds)> ranking = _log.Rooms.RankByP99();

        Assert.Equal([(0, 1_000.0), (1, 3_000.0)], ranking);
        Assert.Equal(2.0 / 2 * 3 / 2, (double)_log.ToJson(2, _receivers, static _ => 0)["slowest_by_median"]!);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(1_000)]
    public void Of_very_many_rooms_some_are_followed_and_all_are_counted(int rooms)
    {
        var latencies = new RoomLatencies(rooms);

        for (int room = 0; room < rooms; room++)
        {
            latencies.Of(room).Record(1_000);
        }

        Assert.Equal(rooms, latencies.Snapshot().Count);
        Assert.Equal(Math.Min(rooms, 64), latencies.RankByP99().Count);
    }

    [Fact]
    public void Where_there_are_very_many_deliveries_only_some_messages_are_followed()
    {
        var roster = new ChatRoster(clients: 1_000, rooms: 1);
        var arrivals = new MessageArrivals(roster);
        arrivals.Begin(messagesPerSecond: 1, seconds: 100);

        arrivals.OnArrival(sender: 999, number: 16, sequence: 7, nanoseconds: 1, measured: true);
        arrivals.OnArrival(sender: 999, number: 17, sequence: 8, nanoseconds: 1, measured: true);

        Assert.Equal(16, arrivals.OneIn);
        Assert.Equal((7L, null), (arrivals.SequenceOf(999, 16), arrivals.SequenceOf(999, 17)));
    }

    private void Receive(int receiver, int sender, int number, long sequence, long after = Millisecond) => _receivers[receiver].Accept(
        new ChatText(sender, number, PlannedNanoseconds: number * Millisecond),
        sequence,
        isKnownLate: false,
        (number * Millisecond) + after,
        _window);
}
