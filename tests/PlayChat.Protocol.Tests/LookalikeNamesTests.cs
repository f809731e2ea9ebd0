namespace PlayChat.Protocol.Tests;

public sealed class LookalikeNamesTests
{
    [Theory]
    [InlineData("аԁа", "ada")]
    [InlineData("Νικο", "viko")]
    [InlineData("Cop 7", "сор 7")] // Latin, and the Cyrillic name; Greek has "ϲορ 7"
    [InlineData("cop 7", "ϲορ 7")]
    [InlineData("СОР 7", "cop 7")]
    [InlineData("сор 7", "ϲορ 7")]
    [InlineData("ϲορ 7", "сор 7")]
    [InlineData("eye", "еуе")]
    [InlineData("eye", "еүе")] // two Cyrillic letters look like y
    public void Names_of_three_scripts_that_look_alike_are_found_from_each_of_them(string name, string alike)
    {
        Assert.Contains(alike, LookalikeNames.GetAlike(name), StringComparer.Ordinal);
        Assert.DoesNotContain(name.ToLowerInvariant(), LookalikeNames.GetAlike(name), StringComparer.Ordinal);
        Assert.True(LookalikeNames.AreAlike(name, alike));
    }

    [Theory]
    [InlineData("Ann")] // no letter of the other scripts looks like n
    [InlineData("Андрей")] // д, й and и look like no Latin letter
    [InlineData("민수 7")]
    [InlineData("")]
    public void A_name_without_lookalikes_has_none(string name) => Assert.Empty(LookalikeNames.GetAlike(name));

    [Fact]
    public void A_name_has_a_bounded_number_of_lookalikes() =>
        Assert.InRange(LookalikeNames.GetAlike(new string('y', ChatLimits.MaxPlayerNameChars)).Count, 2, 64);

    [Theory]
    [InlineData("coc", "ϲοϲ", true)]
    [InlineData("coc", "σοσ", false)] // the database folds the letter of the line above to this one
    [InlineData("coc", "сос", true)]
    [InlineData("coc", "kok", false)]
    public void Names_are_alike_when_they_look_like_the_same_latin_name(string name, string other, bool areAlike) =>
        Assert.Equal(areAlike, LookalikeNames.AreAlike(name, other));

    [Theory]
    [InlineData("ada", false)]
    [InlineData("Ада", false)]
    [InlineData("日本 Tokyo 한국", false)]
    [InlineData("2 ½ ♥", false)]
    [InlineData("аda", true)]
    [InlineData("ωmega", true)]
    public void Letters_of_two_scripts_that_look_alike_are_mixed(string name, bool isMixed) =>
        Assert.Equal(isMixed, LookalikeNames.IsMixed(name));
}
