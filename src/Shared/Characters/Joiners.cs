using System.Text;

namespace PlayChat.Characters;

/// <summary>
/// What words of scripts such as Persian, Sinhala, Khmer and Mongolian are spelled with, and emoji: the zero width space and joiners, the
/// controls of Mongolian, and the selectors of a character's form.
/// </summary>
/// <remarks>
/// Names may have them, and names that differ in them alone are one name. NFKC_Casefold of Unicode leaves them out, too.
/// </remarks>
internal static class Joiners
{
    public static bool Contains(Rune rune) =>
        rune.Value is (>= 0x200B and <= 0x200D) or (>= 0x180B and <= 0x180F) or (>= 0xFE00 and <= 0xFE0F) or (>= 0xE0100 and <= 0xE01EF);
}
