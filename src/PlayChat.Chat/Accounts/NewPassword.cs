namespace PlayChat.Chat.Accounts;

/// <summary>The rule for passwords that are set or registered. A password that an account has already stays valid.</summary>
internal static class NewPassword
{
    /// <summary>Whether a password has enough characters (Unicode code points).</summary>
    public static bool IsLongEnough(string password, int minLength) => password.EnumerateRunes().Count() >= minLength;

    /// <summary>Checks a password that an operator sets.</summary>
    /// <returns>What is wrong, as a sentence; <see langword="null"/> when nothing is.</returns>
    public static string? FindProblem(string password, int minLength) =>
        !ChatRules.IsPassword(password) ? $"The password is too long: it has at most {ChatLimits.MaxPasswordBytes} bytes of UTF-8."
        : !IsLongEnough(password, minLength) ? $"The password is too short: it needs {Rule(minLength)} (Accounts:MinPasswordLength)."
        : null;

    /// <summary>The rule as a part of a sentence: "at least 8 characters".</summary>
    public static string Rule(int minLength) => $"at least {minLength} character{(minLength == 1 ? "" : "s")}";
}
