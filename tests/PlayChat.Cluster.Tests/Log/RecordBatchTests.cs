using FsCheck;
using FsCheck.Fluent;
using PlayChat.Cluster.Log;

namespace PlayChat.Cluster.Tests.Log;

public sealed class RecordBatchTests
{
    private static readonly BatchHeader s_header = new()
    {
        Origin = new RecordOrigin(0x0102, 0x1112131415161718),
        Number = 0x2122232425262728,
        Epoch = 0x31323334,
    };

    [Fact]
    public void The_bytes_of_a_batch_stay_what_they_are()
    {
        byte[] bytes = RecordBatch.Write(
            s_header,
            new RoomRecord
            {
                Kind = 7,
                RoomId = 0x4142434445464748,
                UserId = 0x5152535455565758,
                Token = 0x6162636465666768,
                Body = "hi"u8.ToArray(),
            },
            default);

        Assert.Equal(
            "01" + "00" + "0201" + "1817161514131211" + "2827262524232221" + "34333231" + "0200"
                + "07" + "02000000" + "4847464544434241" + "5857565554535251" + "6867666564636261" + "6869"
                + "00" + "00000000" + "0000000000000000" + "0000000000000000" + "0000000000000000",
            Convert.ToHexString(bytes));
    }

    [Fact]
    public void The_bytes_of_a_greeting_stay_what_they_are()
    {
        byte[] bytes = RecordBatch.WriteHello(new RecordOrigin(3, 4), epoch: 5, nonce: 6);

        Assert.Equal(
            "01" + "00" + "0300" + "0400000000000000" + "0000000000000000" + "05000000" + "0100"
                + "C8" + "00000000" + "0000000000000000" + "0000000000000000" + "0600000000000000",
            Convert.ToHexString(bytes));
    }

    [Fact]
    public void What_is_written_is_read()
    {
        Gen<byte[]> body = ArbMap.Default.GeneratorFor<byte[]>();
        Gen<long> number = ArbMap.Default.GeneratorFor<long>();
        Gen<RoomRecord> record =
            from kind in ArbMap.Default.GeneratorFor<byte>()
            from room in number
            from user in number
            from token in number
            from bytes in body
            select new RoomRecord { Kind = kind, RoomId = room, UserId = user, Token = (ulong)token, Body = bytes };
        Gen<BatchHeader> header =
            from node in Gen.Choose(0, ushort.MaxValue)
            from incarnation in number
            from batch in number
            from epoch in ArbMap.Default.GeneratorFor<uint>()
            select new BatchHeader
            {
                Origin = new RecordOrigin(node, incarnation & long.MaxValue),
                Number = batch & long.MaxValue,
                Epoch = epoch,
            };

        Prop.ForAll(header.ToArbitrary(), record.ArrayOf().ToArbitrary(), static (written, records) =>
        {
            Assert.Equal(BatchStatus.Valid, RecordBatch.TryRead(RecordBatch.Write(written, records), out RecordBatch batch));
            Assert.Equal(written with { Count = records.Length }, batch.Header);
            Assert.Equal(records.Select(Describe), Read(batch).Select(Describe), StringComparer.Ordinal);
        }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void A_batch_that_ends_early_or_late_is_malformed()
    {
        byte[] bytes = RecordBatch.Write(
            s_header, new RoomRecord { Body = "one"u8.ToArray() }, new RoomRecord { Body = "two"u8.ToArray() });

        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.Equal(BatchStatus.Malformed, RecordBatch.TryRead(bytes.AsMemory(0, length), out _));
        }

        Assert.Equal(BatchStatus.Malformed, RecordBatch.TryRead((byte[])[.. bytes, 0], out _));
        Assert.Equal(BatchStatus.Valid, RecordBatch.TryRead(bytes, out _));
    }

    [Theory]
    [InlineData(24, 0xFF)] // 65,535 records
    [InlineData(11, 0x80)] // a negative incarnation
    [InlineData(19, 0x80)] // a negative number
    [InlineData(30, 0x80)] // a body of 2 GiB
    [InlineData(30, 0x7F)]
    public void Impossible_numbers_are_malformed(int at, byte value)
    {
        byte[] bytes = RecordBatch.Write(s_header, new RoomRecord { Body = "body"u8.ToArray() });
        bytes[at] = value;
        if (at == 24)
        {
            bytes[25] = value;
        }

        Assert.Equal(BatchStatus.Malformed, RecordBatch.TryRead(bytes, out _));
    }

    [Fact]
    public void Another_version_is_unknown_however_long_it_is()
    {
        Assert.Equal(BatchStatus.UnknownVersion, RecordBatch.TryRead(new byte[] { 2 }, out _));
        Assert.Equal(BatchStatus.UnknownVersion, RecordBatch.TryRead(new byte[100], out _));
    }

    [Fact]
    public void Flags_of_a_newer_writer_are_ignored()
    {
        byte[] bytes = RecordBatch.Write(s_header, new RoomRecord { Kind = 5 });
        bytes[1] = 0xFF;

        Assert.Equal(BatchStatus.Valid, RecordBatch.TryRead(bytes, out RecordBatch batch));
        Assert.Equal(5, Assert.Single(Read(batch)).Kind);
    }

    [Fact]
    public void Any_bytes_are_read_without_an_exception()
    {
        // Half of them begin like a batch, or nearly all would be refused for their version.
        Prop.ForAll(ArbMap.Default.ArbFor<byte[]>(), static bytes =>
        {
            foreach (byte[] input in new[] { bytes, [1, 0, .. new byte[22], (byte)bytes.Length, 0, .. bytes] })
            {
                if (RecordBatch.TryRead(input, out RecordBatch batch) == BatchStatus.Valid)
                {
                    Assert.Equal(batch.Header.Count, Read(batch).Count);
                }
            }
        }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void A_batch_has_at_most_4096_records()
    {
        Assert.Equal(BatchStatus.Valid, RecordBatch.TryRead(RecordBatch.Write(s_header, new RoomRecord[4096]), out RecordBatch batch));
        Assert.Equal(4096, Read(batch).Count);
        Assert.Throws<ArgumentOutOfRangeException>(static () => RecordBatch.Write(s_header, new RoomRecord[4097]));
    }

    [Theory]
    [InlineData(-1, 1)]
    [InlineData(65536, 1)]
    [InlineData(1, -1)]
    public void An_origin_outside_of_its_range_is_refused(int node, long incarnation) => Assert.Throws<ArgumentOutOfRangeException>(
        () => RecordBatch.WriteHello(new RecordOrigin(node, incarnation), 1, 1));

    [Fact]
    public void The_sequence_rises_with_the_position()
    {
        LogPosition[] positions = [new(1, 0, 0), new(1, 0, 1), new(1, 0, 4095), new(1, 1, 0), new(1, 4000, 7)];

        Assert.Equal(positions.Select(static p => p.Sequence).Order(), positions.Select(static p => p.Sequence));
        Assert.Equal(positions.Length, positions.Select(static p => p.Sequence).Distinct().Count());
        Assert.True(new LogPosition(2, 0, 0) > positions[^1]);
    }

    [Fact]
    public void A_room_stays_in_its_shard()
    {
        // Logs depend on these values: a change loses the rooms of every cluster that exists.
        Assert.Equal([0, 5, 10, 6, 11], new long[] { 0, 1, 2, 1_000_000, -1 }.Select(static room => RoomShard.Of(room, 16)));
        Assert.All(
            Enumerable.Range(0, 16_000).GroupBy(static room => RoomShard.Of(room, 16)),
            static shard => Assert.InRange(shard.Count(), 850, 1150));
    }

    private static string Describe(RoomRecord record) =>
        $"{record.Kind} {record.RoomId} {record.UserId} {record.Token} {Convert.ToHexString(record.Body.Span)}";

    private static List<RoomRecord> Read(RecordBatch batch)
    {
        List<RoomRecord> records = [];
        foreach (RoomRecord record in batch)
        {
            records.Add(record);
        }

        return records;
    }
}
