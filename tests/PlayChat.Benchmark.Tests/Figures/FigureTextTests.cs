namespace PlayChat.Benchmark.Tests.Figures;

public sealed class FigureTextTests
{
    [Theory]
    [InlineData(0, "µs", "0 µs")]
    [InlineData(0.1934, "µs", "0.193 µs")]
    [InlineData(437, "µs", "437 µs")]
    [InlineData(999.6, "µs", "1 ms")]
    [InlineData(8_123, "µs", "8.12 ms")]
    [InlineData(2_189_427, "µs", "2.19 s")]
    [InlineData(0.25, "ms", "250 µs")]
    [InlineData(87_897.608, "ms", "87.9 s")]
    [InlineData(1_234_567, "msg/s", "1,234,567 msg/s")]
    [InlineData(12.34, "%", "12.3%")]
    [InlineData(67, "", "67")]
    public void A_time_gets_the_unit_that_people_read(double value, string unit, string text) =>
        Assert.Equal(text, FigureText.Format(value, unit));

    [Theory]
    [InlineData(456, "µs", "456 µs")]
    [InlineData(1_163, "µs", "1.163 ms")]
    [InlineData(2_954_000, "µs", "2.954 s")]
    [InlineData(22_603.033, "ms", "22.603033 s")]
    [InlineData(121_367, "msg/s", "121,367")]
    [InlineData(2.567, "", "2.567")]
    public void A_published_value_keeps_its_digits(double value, string unit, string text) =>
        Assert.Equal(text, FigureText.ExactInColumn(value, unit));
}
