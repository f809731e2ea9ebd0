using System.Text;
using PlayChat.Core.Packets;

namespace PlayChat.Recording.Tests;

public sealed class FrameTextTests
{
    [Theory]
    [InlineData("""{"a":"\ud800"}""", "7B2261223A225C7564383030227D")] // half a character
    [InlineData("null", "null")]
    [InlineData("""["é"]""", "[|  \"é\"|]")]
    public void Every_body_that_is_JSON_can_be_shown(string body, string lines)
    {
        PacketType packet = ShopPackets.All.All.First();

        Assert.Equal(lines.Split('|'), FrameText.LinesOf(packet, Encoding.UTF8.GetBytes(body)));
    }
}
