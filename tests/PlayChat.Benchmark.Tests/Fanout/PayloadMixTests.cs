namespace PlayChat.Benchmark.Tests.Fanout;

public sealed class PayloadMixTests
{
    [Fact]
    public void The_default_mix_is_read_part_by_part()
    {
        PayloadMix mix = PayloadMix.Parse(PayloadMix.Default);

        Assert.Equal([new(64, 64, 80), new(256, 256, 18), new(1024, 2048, 2)], mix.Classes);
    }

    [Fact]
    public void Sizes_are_drawn_in_the_proportion_of_the_weights()
    {
        PayloadMix mix = PayloadMix.Parse(PayloadMix.Default);
        var random = new Random(7);

        int[] sizes = Enumerable.Range(0, 100_000).Select(_ => mix.Next(random)).ToArray();

        Assert.InRange(sizes.Count(size => size == 64), 79_000, 81_000);
        Assert.InRange(sizes.Count(size => size == 256), 17_000, 19_000);
        int[] large = sizes.Where(size => size is not (64 or 256)).ToArray();
        Assert.InRange(large.Length, 1_500, 2_500);
        Assert.All(large, size => Assert.InRange(size, 1024, 2048));
    }

    [Theory]
    [InlineData("")]
    [InlineData("64")]
    [InlineData("64:")]
    [InlineData(":80")]
    [InlineData("64:80,")]
    [InlineData("64:0")]
    [InlineData("64:-1")]
    [InlineData("39:1")]
    [InlineData("4001:1")]
    [InlineData("200-100:1")]
    [InlineData("1-2-3:1")]
    [InlineData("64:1:2")]
    public void What_is_no_mix_is_refused(string text) => Assert.Throws<UsageException>(() => PayloadMix.Parse(text));
}
