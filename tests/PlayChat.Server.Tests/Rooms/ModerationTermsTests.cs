using System.Globalization;
using PlayChat.Chat.Rooms.Members;
using PlayChat.Storage;

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

    [Theory]
    [InlineData("hi @ann", "ann")]
    [InlineData("@ann, @bob!", "ann, bob")]
    [InlineData("ask @ann lee, please", "ann lee")]
    [InlineData("@ann lee", "ann lee")]
    [InlineData("@ann leeward", "ann")]
    [InlineData("@annabel lee", "")]
    [InlineData("@ann lee@bob", "ann lee, bob")]
    [InlineData("@lee of the far away islands", "lee of the far away")]
    [InlineData("@ ann", "")]
    [InlineData("a mail to x@y", "")]
    [InlineData("@ann @ann @ann @ann @ann @ann @ann @ann @ann @ann @bob", "ann, ann, ann, ann, ann, ann, ann, ann, ann, ann")]
    public void A_mention_is_of_the_member_with_the_longest_name(string text, string mentioned)
    {
        HashSet<string> members = ["ann", "ann lee", "bob", "lee of the far away", "lee of the far away islands"];

        IEnumerable<RoomMembership> found = ModerationTerms.MentionsIn(
            text, name => members.Contains(name) ? new RoomMembership(1, 1, name, RoomMemberRole.Member) : null);

        Assert.Equal(mentioned, string.Join(", ", found.Select(static member => member.PlayerName)));
    }
}
