using PlayChat.Protocol;

namespace PlayChat.Server.Tests.Model;

/// <summary>What members hear, and if it is a message, what the history has.</summary>
internal sealed class EventModel
{
    public const string System = "SYSTEM";

    public string Told { get; init; } = "";

    public string ToldNow => Author is null or System ? Told : $"{Author}: {Text}";

    /// <summary>0 until a member has heard it.</summary>
    public long Sequence { get; set; }

    /// <summary>Of a message.</summary>
    public string? Author { get; init; }

    public string Text { get; set; } = "";

    /// <summary>Whether other events that are loose may come before it.</summary>
    public bool IsLoose { get; init; }

    public SortedSet<(string Emoji, string Player)> Reactions { get; } = [];

    /// <summary>Whether it takes no change and no reaction.</summary>
    public bool IsGone => Author == System || Text.Length == 0;

    public string Show(string reader) => $"{Sequence} {Author}: {Text}" + (IsGone ? "" : string.Concat(Reactions
        .GroupBy(static reaction => reaction.Emoji, StringComparer.Ordinal)
        .Select(group => $" {group.Key}{group.Count()}{(group.Any(reaction => reaction.Player == reader) ? "!" : "")}")
        .Order(StringComparer.Ordinal)));

    public static string Show(SRoomChatNtf said) => $"{said.Sequence} {said.PlayerName}: {said.Text}" + string.Concat(said.Reactions
        .Select(static reaction => $" {reaction.Emoji}{reaction.Count}{(reaction.Own ? "!" : "")}").Order(StringComparer.Ordinal));
}
