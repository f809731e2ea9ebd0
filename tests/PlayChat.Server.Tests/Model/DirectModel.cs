using PlayChat.Protocol;

namespace PlayChat.Server.Tests.Model;

/// <summary>What players say to each other alone, and which players they have blocked, as PROTOCOL.md describes it.</summary>
internal sealed class DirectModel
{
    private readonly List<(string From, string To, string Text)> _said = [];
    private readonly Dictionary<(string Player, string Partner), int> _read = [];
    private readonly SortedSet<(string Player, string Blocked)> _blocks = [];

    public bool HasBlocked(string player, string other) => _blocks.Contains((player, other));

    public ErrorCode Judge(string from, string to) => HasBlocked(to, from) ? ErrorCode.PlayerRefuses
        : HasBlocked(from, to) ? ErrorCode.PlayerBlocked : ErrorCode.None;

    public IReadOnlyList<string> Read(string player, string partner) =>
        [.. _said.Where(one => one.From == player ? one.To == partner : one.From == partner && one.To == player)
            .Select(static one => $"{one.From}: {one.Text}")];

    /// <returns>The number of the message.</returns>
    public int Say(string from, string to, string text)
    {
        _said.Add((from, to, text));
        return _read[(from, to)] = Read(from, to).Count;
    }

    public void NoteRead(string player, string partner, int number) =>
        _read[(player, partner)] = Math.Max(_read.GetValueOrDefault((player, partner)), number);

    public void Block(string player, string other, bool unblock) =>
        _ = unblock ? _blocks.Remove((player, other)) : _blocks.Add((player, other));

    public string ShowBlocked(string player) =>
        string.Join(" ", _blocks.Where(one => one.Player == player).Select(static one => one.Blocked));

    /// <summary>The conversations of a player, the newest first.</summary>
    public IEnumerable<(string Partner, int Unread, string Last)> List(string player) =>
        Enumerable.Reverse(_said).Where(one => one.From == player || one.To == player)
            .GroupBy(one => one.From == player ? one.To : one.From, StringComparer.Ordinal)
            .Select(one => (one.Key, one.Count() - _read.GetValueOrDefault((player, one.Key)), one.First().Text));
}
