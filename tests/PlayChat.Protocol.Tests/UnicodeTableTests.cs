using System.Globalization;
using System.Text;
using PlayChat.Characters;

namespace PlayChat.Protocol.Tests;

public sealed class UnicodeTableTests
{
    /// <summary>Characters that the runtime does not know may be anything: the table can be newer.</summary>
    [Fact]
    public void The_table_knows_every_character_that_the_runtime_knows()
    {
        string[] differences =
        [
            .. from value in Enumerable.Range(0, 0x110000)
               where Rune.IsValid(value)
               let category = Rune.GetUnicodeCategory(new Rune(value))
               where category != UnicodeCategory.OtherNotAssigned && !IsLeftOut(value) && !Fits(UnicodeTable.KindOf(value), category)
               select $"U+{value:X4} {category} {UnicodeTable.KindOf(value)}",
        ];

        Assert.Empty(differences);
    }

    [Theory]
    [InlineData(0x0301, 230)]
    [InlineData(0x1037, 7)]
    [InlineData(0x0E48, 107)]
    [InlineData(0x05B0, 10)]
    [InlineData(0x0345, 240)]
    [InlineData(0x0041, 0)]
    [InlineData(0x10FFFF, 0)]
    public void The_table_has_the_combining_classes_of_marks(int codePoint, int combiningClass) =>
        Assert.Equal(combiningClass, UnicodeTable.CombiningClassOf(codePoint));

    [Theory]
    [InlineData(0x1FAEA, CharacterKind.Symbol)] // of Unicode 17
    [InlineData(0x1FAFF, CharacterKind.Symbol)] // reserved for emoji
    [InlineData(0x0897, CharacterKind.Mark)] // of Unicode 16
    [InlineData(0x0378, CharacterKind.None)]
    [InlineData(0x10D50, CharacterKind.None)] // of Unicode 16, and has a lower case: .NET 8 does not fold it
    [InlineData(0xE000, CharacterKind.None)]
    [InlineData(0xE0FFF, CharacterKind.Blank)]
    [InlineData(0x10FFFF, CharacterKind.None)]
    internal void The_table_knows_what_older_runtimes_do_not(int codePoint, CharacterKind kind) =>
        Assert.Equal(kind, UnicodeTable.KindOf(codePoint));

    [Fact]
    public void Every_variation_selector_is_a_joiner_and_every_joiner_is_drawn_as_nothing()
    {
        foreach (int value in Enumerable.Range(0, 0x110000).Where(Rune.IsValid))
        {
            CharacterKind kind = UnicodeTable.KindOf(value);

            Assert.True(Joiners.Contains(new Rune(value))
                ? kind is CharacterKind.VariationSelector or CharacterKind.Format or CharacterKind.Blank
                : kind != CharacterKind.VariationSelector, $"U+{value:X4} {kind}");
        }
    }

    // Those of Unicode 16 and 17 that have another case or decompose, which .NET 8 does not know.
    private static bool IsLeftOut(int value) =>
        UnicodeTable.KindOf(value) == CharacterKind.None
        && value is 0x1C89 or 0x1C8A or (>= 0xA7CB and <= 0xA7DC) or 0x105C9 or 0x105E4 or (>= 0x10D50 and <= 0x10D85)
            or (>= 0x11383 and <= 0x113C8) or (>= 0x16121 and <= 0x16128) or (>= 0x16D68 and <= 0x16D6A) or (>= 0x1CCD6 and <= 0x1CCF9);

    private static bool Fits(CharacterKind kind, UnicodeCategory category) => category switch
    {
        UnicodeCategory.Control or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.PrivateUse =>
            kind == CharacterKind.None,
        UnicodeCategory.SpaceSeparator => kind == CharacterKind.Space,
        UnicodeCategory.Format => kind is CharacterKind.Format,
        UnicodeCategory.NonSpacingMark or UnicodeCategory.EnclosingMark or UnicodeCategory.SpacingCombiningMark =>
            kind is >= CharacterKind.SpacingMark or CharacterKind.VariationSelector or CharacterKind.Blank,
        _ => kind is CharacterKind.Blank or (> CharacterKind.None and < CharacterKind.Space),
    };
}
