using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Framing;

/// <summary>What the factories accept, and what a caller's mistake gets.</summary>
public sealed class FrameFormatTests
{
    private const int LargestFrameBytes = 256 * 1024 * 1024;

    [Fact]
    public void The_defaults_are_those_documented()
    {
        Assert.Equal(64 * 1024, FrameFormat.Packet().MaxFrameBytes);
        Assert.Equal((64 * 1024) - 4, FrameFormat.Packet().MaxBodyBytes);
        Assert.Equal(64 * 1024, FrameFormat.LengthPrefixed().MaxFrameBytes);
        Assert.Equal(65_535, FrameFormat.LengthPrefixed(prefixBytes: 2).MaxFrameBytes);
        Assert.Equal(65_535, FrameFormat.SenderPrefixed().MaxFrameBytes);
        Assert.Equal(64 * 1024, FrameFormat.Line().MaxFrameBytes);
        Assert.Equal(64 * 1024, FrameFormat.Raw().MaxFrameBytes);
    }

    [Fact]
    public void A_limit_at_either_end_of_its_range_is_accepted()
    {
        Assert.Equal(0, FrameFormat.Packet(4).MaxBodyBytes);
        Assert.Equal(LargestFrameBytes, FrameFormat.Packet(LargestFrameBytes).MaxFrameBytes);
        Assert.Equal(1, FrameFormat.LengthPrefixed(1).MaxBodyBytes);
        Assert.Equal(LargestFrameBytes, FrameFormat.LengthPrefixed(LargestFrameBytes).MaxFrameBytes);
        Assert.Equal(LargestFrameBytes, FrameFormat.Line(LargestFrameBytes).MaxFrameBytes);
        Assert.Equal(LargestFrameBytes, FrameFormat.Raw(LargestFrameBytes).MaxFrameBytes);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(LargestFrameBytes + 1)]
    [InlineData(int.MaxValue)]
    public void A_limit_out_of_range_is_refused_with_a_sentence_that_names_the_range(int maxFrameBytes)
    {
        AssertRefused("from 4 to 268,435,456 bytes", () => FrameFormat.Packet(maxFrameBytes));
        AssertRefused("from 1 to 268,435,456 bytes", () => FrameFormat.LengthPrefixed(maxFrameBytes));
        AssertRefused("from 1 to 65,535 bytes", () => FrameFormat.LengthPrefixed(maxFrameBytes, prefixBytes: 2));
        AssertRefused("from 1 to 65,535 bytes", () => FrameFormat.SenderPrefixed(maxFrameBytes));
        AssertRefused("from 1 to 268,435,456 bytes", () => FrameFormat.Line(maxFrameBytes));
        AssertRefused("from 1 to 268,435,456 bytes", () => FrameFormat.Raw(maxFrameBytes));
    }

    [Fact]
    public void A_limit_that_the_length_field_cannot_express_is_refused()
    {
        AssertRefused("from 4 to", () => FrameFormat.Packet(3));
        AssertRefused("from 1 to 65,535 bytes", () => FrameFormat.LengthPrefixed(65_536, prefixBytes: 2));
        AssertRefused("from 1 to 65,535 bytes", () => FrameFormat.SenderPrefixed(65_536));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(8)]
    [InlineData(-4)]
    public void A_prefix_is_2_or_4_bytes(int prefixBytes) =>
        AssertRefused("2 or 4 bytes", () => FrameFormat.LengthPrefixed(prefixBytes: prefixBytes));

    [Theory]
    [MemberData(nameof(WireFormats.Names), MemberType = typeof(WireFormats))]
    public void A_body_over_the_limit_is_refused_and_one_at_the_limit_is_not(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        byte[] destination = new byte[100];
        byte[] largest = new byte[format.MaxBodyBytes];
        byte[] tooLarge = new byte[format.MaxBodyBytes + 1];

        Assert.True(format.CanCarry(largest));
        Assert.False(format.CanCarry(tooLarge));
        Assert.Equal(format.GetEncodedBytes(largest.Length), format.Encode(largest, default, destination));
        AssertRefused($"0 to {format.MaxBodyBytes} bytes", () => format.Encode(tooLarge, default, destination));
        AssertRefused($"0 to {format.MaxBodyBytes} bytes", () => format.WriteHeader(destination, default, tooLarge.Length));
        AssertRefused($"0 to {format.MaxBodyBytes} bytes", () => format.WriteHeader(destination, default, -1));
    }

    [Theory]
    [MemberData(nameof(WireFormats.Names), MemberType = typeof(WireFormats))]
    public void A_destination_that_is_too_small_is_refused_and_left_alone(string name)
    {
        FrameFormat format = WireFormats.Get(name);
        byte[] body = [1, 2, 3];
        for (int size = 0; size < format.GetEncodedBytes(body.Length); size++)
        {
            byte[] destination = new byte[size];
            Assert.Throws<ArgumentException>(() => format.Encode(body, new FrameHeader(1, 2, 3), destination));
            Assert.All(destination, value => Assert.Equal(0, value));
        }

        for (int size = 0; size < format.HeaderBytes; size++)
        {
            byte[] destination = new byte[size];
            Assert.ThrowsAny<ArgumentException>(() => format.WriteHeader(destination, new FrameHeader(1, 2, 3), 1));
            Assert.All(destination, value => Assert.Equal(0, value));
        }

        if (format.TrailerBytes > 0)
        {
            Assert.ThrowsAny<ArgumentException>(() => format.WriteTrailer([]));
        }
    }

    private static void AssertRefused(string part, Action action)
    {
        ArgumentOutOfRangeException refusal = Assert.Throws<ArgumentOutOfRangeException>(action);
        Assert.Contains(part, refusal.Message, StringComparison.Ordinal);
    }
}
