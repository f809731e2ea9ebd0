using System.Text;

namespace PlayChat.Protocol.Tests;

/// <summary>Words.txt has words of every living script that the locales of Unicode know.</summary>
public sealed class LivingWordsTests
{
    [Fact]
    public void No_word_is_changed_in_a_text()
    {
        string[] changed = [.. Words().Where(static word => !ReferenceEquals(ChatRules.Clean(word.Text), word.Text)).Select(Describe)];

        Assert.Empty(changed);
    }

    [Fact]
    public void Every_word_may_be_the_name_of_a_player() =>
        Assert.Empty(Words().Where(static word => !ChatRules.IsPlayerName(word.Text)).Select(Describe));

    [Fact]
    public void Every_word_may_be_the_name_of_a_room() =>
        Assert.Empty(Words().Where(static word => !ChatRules.IsRoomName(word.Text)).Select(Describe));

    private static string Describe((string Language, string Text) word) =>
        $"{word.Language} {word.Text}: {string.Join(' ', word.Text.EnumerateRunes().Select(static rune => $"{rune.Value:X4}"))}";

    private static (string Language, string Text)[] Words()
    {
        using Stream file = typeof(LivingWordsTests).Assembly.GetManifestResourceStream("Words.txt")!;
        using var reader = new StreamReader(file, Encoding.UTF8);
        (string, string)[] words =
        [
            .. from line in reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries)
               where line[0] != '#'
               let parts = line.Split(": ")
               from word in parts[1].Split(' ')
               select (parts[0], word),
        ];
        Assert.True(words.Length > 1800, $"Words.txt has {words.Length} words.");
        return words;
    }
}
