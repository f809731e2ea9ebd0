namespace PlayChat.Chat.Accounts;

/// <summary>The rule for passwords that are set or registered. A password that an account has already stays valid.</summary>
internal static class NewPassword
{
    /// <summary>Whether a password has enough characters (Unicode code points).</summary>
    public static bool IsLongEnough(string password, int minLength) => password.EnumerateRunes().Count() >= minLength;

    /// <summary>The rule as a part of a sentence: "at least 8 characters".</summary>
    public static string Rule(int minLength) => $"at least {minLength} character{(minLength == 1 ? "" : "s")}";
}
