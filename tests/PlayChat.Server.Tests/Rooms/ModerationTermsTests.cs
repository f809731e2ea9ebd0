using System.Globalization;
using PlayChat.Chat.Rooms.Members;

namespace PlayChat.Server.Tests.Rooms;

public sealed class ModerationTermsTests
{
    [Theory]
    [InlineData("1.00:00:00", "1 day")]
    [InlineData("2.00:00:00", "2 days")]
    [InlineData("1.12:00:00", "36 hours")]
    [InlineData("01:00:00", "1 hour")]
    [InlineData("00:15:00", "15 minutes")]
    [InlineData("00:01:30", "90 seconds")]
    [InlineData("00:00:00.5", "1 second")]
    public void A_time_is_told_in_its_largest_unit(string time, string told) =>
        Assert.Equal(told, ModerationTerms.InWords(TimeSpan.Parse(time, CultureInfo.InvariantCulture)));
}
