namespace PlayChat.Benchmark.Tests.Fanout;

public sealed class ChatTextCodecTests
{
    private readonly ChatTextCodec _codec = new(seed: 1);

    [Theory]
    [InlineData(40)]
    [InlineData(64)]
    [InlineData(4000)]
    public void What_was_written_is_read_and_is_ascii(int bytes)
    {
        var text = new ChatText(Sender: 499, Number: 0x7abcdef0, PlannedNanoseconds: 0x1234_5678_9abc_def0);
        byte[] written = new byte[bytes];

        _codec.Write(written, text);

        Assert.True(_codec.TryRead(written, out ChatText read));
        Assert.Equal(text, read);
        Assert.All(written, letter => Assert.InRange(letter, (byte)'0', (byte)'z'));
    }

    [Fact]
    public void Any_changed_byte_is_found()
    {
        byte[] written = new byte[64];
        _codec.Write(written, new ChatText(1, 2, 3));
        for (int i = 0; i < written.Length; i++)
        {
            for (int change = 1; change <= byte.MaxValue; change++)
            {
                byte[] changed = [.. written];
                changed[i] ^= (byte)change;

                Assert.False(_codec.TryRead(changed, out _), $"byte {i}, changed by {change}");
            }
        }
    }

    [Fact]
    public void A_text_that_was_cut_or_is_of_another_run_is_found()
    {
        byte[] written = new byte[64];
        _codec.Write(written, new ChatText(1, 2, 3));

        Assert.All(Enumerable.Range(0, 64), length => Assert.False(_codec.TryRead(written.AsSpan(0, length), out _)));
        Assert.False(new ChatTextCodec(seed: 2).TryRead(written, out _));
    }
}
