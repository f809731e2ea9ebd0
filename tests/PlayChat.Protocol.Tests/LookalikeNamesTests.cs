namespace PlayChat.Protocol.Tests;

public sealed class LookalikeNamesTests
{
    [Theory]
    [InlineData("аԁа", "ada")]
    [InlineData("СОР 7", "cop 7")]
    [InlineData("Νικο", "viko")]
    public void A_name_of_lookalikes_alone_looks_like_a_latin_one(string name, string latin) =>
        Assert.Equal(latin, LookalikeNames.GetLatin(name));

    [Theory]
    [InlineData("ada")]
    [InlineData("Андрей")] // д, й and и look like no Latin letter
    [InlineData("민수")]
    [InlineData("")]
    public void Other_names_do_not(string name) => Assert.Null(LookalikeNames.GetLatin(name));

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
