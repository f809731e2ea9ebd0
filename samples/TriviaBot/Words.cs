using System.Globalization;
using System.Text;

namespace TriviaBot;

/// <summary>Text as it is compared.</summary>
internal static class Words
{
    /// <summary>Lower-case letters and digits without accents; everything else is one space between words.</summary>
    public static string Plain(string text)
    {
        var plain = new StringBuilder(text.Length);
        bool isBetween = false;
        foreach (char c in text.Normalize(NormalizationForm.FormD))
        {
            if (char.IsLetterOrDigit(c))
            {
                plain.Append(isBetween && plain.Length > 0 ? " " : "").Append(char.ToLowerInvariant(c));
                isBetween = false;
            }
            else if (CharUnicodeInfo.GetUnicodeCategory(c) != UnicodeCategory.NonSpacingMark)
            {
                isBetween = true;
            }
        }

        return plain.ToString();
    }
}
