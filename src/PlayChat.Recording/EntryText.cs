using System.Runtime.InteropServices;

namespace PlayChat.Recording;

/// <summary>Says in words what entries are, for replays and time lines.</summary>
/// <remarks>Invariant: it was given each session and each text before an entry that names it.</remarks>
internal sealed class EntryText(PacketSet packets)
{
    private readonly Dictionary<long, string> _sessions = [];
    private readonly Texts _texts = new();
    private readonly Texts _newTexts = new(); // those that the recording does not have, with numbers below 0

    /// <summary>Takes an entry, which later ones may name by its number.</summary>
    internal void Define(Entry entry)
    {
        if (entry.Kind == EntryKind.Text)
        {
            _texts.Add(entry.Content);
        }
        else if (entry.Kind == EntryKind.Session)
        {
            _sessions[entry.Numbers[0]] = Who(entry.Numbers[1], entry.Numbers[3] != 0 ? Encoding.UTF8.GetString(entry.Content) : null);
        }
    }

    internal static string Who(long session, string? user) =>
        string.Create(CultureInfo.InvariantCulture, $"session {session}{(user is null ? "" : $" ({user})")}");

    internal string TextOf(long number) => Encoding.UTF8.GetString(BytesOf(number));

    internal int NumberOf(ReadOnlySpan<byte> text)
    {
        int number = _texts.Find(text);
        int added = number >= 0 ? -1 : _newTexts.Find(text);
        return number >= 0 ? number : ~(added >= 0 ? added : _newTexts.Add(text));
    }

    /// <summary>Returns the session that did something; <see langword="null"/> for an entry of the room.</summary>
    internal string? WhoDid(Entry entry) => entry.Kind is EntryKind.Changed or EntryKind.Frame or EntryKind.Packet or EntryKind.Join
        or EntryKind.Leave or EntryKind.LinkChanged ? Who(entry.Numbers[0]) : null;

    internal PacketType? PacketOf(Entry entry) => entry.Kind switch
    {
        EntryKind.Packet => packets.Find((ushort)entry.Numbers[1]),
        EntryKind.Sent => packets.Find((ushort)entry.Numbers[0]),
        _ => null,
    };

    internal string Describe(Entry entry)
    {
        long[] numbers = entry.Numbers;
        string who = Who(numbers[0]);
        return entry.Kind switch
        {
            EntryKind.Changed => $"the {(numbers[1] != 0 ? "end" : numbers[2] != 0 ? "loss" : "return")} of {who}",
            EntryKind.LinkChanged => $"the {(numbers[1] != 0 ? "loss" : "return")} of {who}",
            EntryKind.Timer => $"the timer of {TextOf(numbers[2])}",
            EntryKind.Tick => "the tick",
            EntryKind.Frame => $"OnFrame for {who}",
            EntryKind.Packet => $"the handler of {NameOf(entry, numbers[1])} from {who}",
            EntryKind.Join => $"the join of {who}",
            EntryKind.Leave => $"the leave of {who}",
            EntryKind.Command => "a command of the server",
            EntryKind.Code => TextOf(numbers[0]),
            EntryKind.Job => $"the job {TextOf(numbers[0])}",
            EntryKind.Recovered => "the return of a member",
            EntryKind.Drawn => string.Create(CultureInfo.InvariantCulture, $"random numbers drawn: {numbers[0]}"),
            EntryKind.Failed => $"the exception {TextOf(numbers[0])}",
            EntryKind.Sent => string.Create(
                CultureInfo.InvariantCulture,
                $"{NameOf(entry, numbers[0])} to {Recipients(numbers[3])}, {numbers[4]} bytes (checksum {numbers[5]:x8})"),
            _ => "",
        };
    }

    private string NameOf(Entry entry, long packet) =>
        PacketOf(entry)?.Name ?? string.Create(CultureInfo.InvariantCulture, $"packet {packet}");

    private string Who(long number) => _sessions.GetValueOrDefault(number, "another session");

    private string Recipients(long text) => MemoryMarshal.Cast<byte, int>(BytesOf(text)).ToArray() switch
    {
        [EntryTape.Everyone] => "all",
        [EntryTape.Everyone, var except] => $"all but {Who(except)}",
        var some => string.Join(", ", some.Select(number => Who(number))),
    };

    private ReadOnlySpan<byte> BytesOf(long number) => number < 0 ? _newTexts[(int)~number] : _texts[(int)number];
}
