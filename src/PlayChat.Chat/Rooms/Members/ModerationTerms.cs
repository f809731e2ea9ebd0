namespace PlayChat.Chat.Rooms.Members;

/// <summary>The words and bounds of moderation.</summary>
internal static class ModerationTerms
{
    /// <summary>Most bytes of a reason.</summary>
    public const int MaxReasonBytes = 200;

    /// <summary>Most bytes of a room's topic.</summary>
    public const int MaxTopicBytes = 200;

    /// <summary>The longest pause of slow mode: an hour.</summary>
    public const uint MaxSlowSeconds = 3600;

    /// <summary>The longest mute or ban with an end: ten years.</summary>
    public const uint MaxSeconds = 315_360_000;

    private const int MaxMentions = 10;

    /// <summary>When a mute or a ban without an end ends.</summary>
    public static readonly DateTimeOffset Never = new(9999, 1, 1, 0, 0, 0, TimeSpan.Zero);

    /// <summary>" until TIME", or nothing for one without an end.</summary>
    public static string Until(DateTimeOffset end) => end >= Never
        ? ""
        : string.Create(CultureInfo.InvariantCulture, $" until {end.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC");

    /// <summary>A time as players say it, in the largest unit of which it is a multiple: "36 hours", "1 day".</summary>
    public static string InWords(TimeSpan time)
    {
        (long count, string unit) = time.Ticks % TimeSpan.TicksPerDay == 0 ? (time.Ticks / TimeSpan.TicksPerDay, "day")
            : time.Ticks % TimeSpan.TicksPerHour == 0 ? (time.Ticks / TimeSpan.TicksPerHour, "hour")
            : time.Ticks % TimeSpan.TicksPerMinute == 0 ? (time.Ticks / TimeSpan.TicksPerMinute, "minute")
            : ((long)Math.Ceiling(time.TotalSeconds), "second");
        return string.Create(CultureInfo.InvariantCulture, $"{count} {unit}{(count == 1 ? "" : "s")}");
    }

    /// <summary>The names that a text mentions as @NAME; some are no names, because text follows a name without a space.</summary>
    public static IEnumerable<string> MentionsIn(string text)
    {
        int found = 0;
        for (int at = text.IndexOf('@', StringComparison.Ordinal); at >= 0 && found < MaxMentions; at = text.IndexOf('@', at + 1))
        {
            int end = at + 1;
            while (end < text.Length && !char.IsWhiteSpace(text[end]) && text[end] != '@' && end - at <= ChatLimits.MaxPlayerNameChars)
            {
                end++;
            }

            found++;
            yield return text[(at + 1)..end];
            string name = text[(at + 1)..end].TrimEnd('.', ',', ':', ';', '!', '?', ')', '\'', '"');
            if (name.Length < end - at - 1)
            {
                yield return name;
            }
        }
    }
}
