namespace PlayChat.Chat.Rooms.Members;

/// <summary>The words and bounds of moderation.</summary>
internal static class ModerationTerms
{
    public const int MaxReasonBytes = 200;

    /// <summary>Most bytes of a room's topic.</summary>
    public const int MaxTopicBytes = 200;

    /// <summary>The longest pause of slow mode: an hour.</summary>
    public const uint MaxSlowSeconds = 3600;

    /// <summary>The longest mute or ban with an end: ten years.</summary>
    public const uint MaxSeconds = 315_360_000;

    private const int MaxMentions = 10;
    private const int MaxNameWords = 5;

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

    /// <summary>The members that a text mentions as @NAME: behind each of ten '@' the one with the longest name.</summary>
    /// <remarks>A name ends before white space, with or without a punctuation mark, and has five words at most.</remarks>
    public static IEnumerable<RoomMembership> MentionsIn(string text, Func<string, RoomMembership?> find)
    {
        int mentions = 0;
        for (int at = text.IndexOf('@', StringComparison.Ordinal); at >= 0 && mentions < MaxMentions; at = text.IndexOf('@', at + 1))
        {
            mentions++;
            if (FindLongest(text, at + 1, find) is { } member)
            {
                yield return member;
            }
        }
    }

    private static RoomMembership? FindLongest(string text, int start, Func<string, RoomMembership?> find)
    {
        RoomMembership? longest = null;
        int most = Math.Min(text.Length, start + (2 * ChatLimits.MaxPlayerNameChars)); // a character may take two places
        for (int end = start, words = 0; end <= most && words < MaxNameWords; end++)
        {
            bool isLast = end == text.Length || text[end] == '@';
            if (isLast || char.IsWhiteSpace(text[end]))
            {
                words = isLast ? MaxNameWords : words + 1;
                string name = text[start..end];
                longest = find(name) ?? find(name.TrimEnd('.', ',', ':', ';', '!', '?', ')', '\'', '"')) ?? longest;
            }
        }

        return longest;
    }
}
