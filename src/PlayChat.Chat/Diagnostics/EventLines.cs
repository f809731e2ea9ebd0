using System.Runtime.InteropServices;
using Serilog.Core;
using Serilog.Events;

namespace PlayChat.Chat.Diagnostics;

/// <summary>The lines of one event in <see cref="FloodFilter"/>: which sources have had theirs, and how many were left out.</summary>
/// <remarks>Not thread-safe.</remarks>
internal sealed class EventLines(LogEvent first)
{
    // The sources that left out most are named; the others are one number.
    private const int NamedSources = 10;

    private readonly Dictionary<string, Share> _sources = new(StringComparer.Ordinal);
    private readonly string _name = NameOf(first);
    private readonly string _context = ValueOf(first, Constants.SourceContextPropertyName) as string ?? "";
    private readonly LogEventLevel _level = first.Level;
    private Share _all;
    private int _lines;
    private bool _isUsed;

    /// <summary>Whether no line was counted in the last period, so that the event can be forgotten.</summary>
    public bool IsEmpty => !_isUsed && _sources.Count == 0;

    /// <summary>The name of an event, else its template.</summary>
    /// <remarks>Serilog keeps an event id as a structure of its id and its name.</remarks>
    public static string NameOf(LogEvent line) =>
        line.Properties.GetValueOrDefault("EventId") is StructureValue id
        && id.Properties.FirstOrDefault(static property => property.Name == "Name")?.Value is ScalarValue { Value: string name }
            ? name
            : line.MessageTemplate.Text;

    /// <summary>The value of a property; <see langword="null"/> if the event has none, or a list or structure.</summary>
    public static object? ValueOf(LogEvent line, string property) =>
        (line.Properties.GetValueOrDefault(property) as ScalarValue)?.Value;

    /// <summary>Counts a line.</summary>
    /// <param name="source">Where it comes from; <see langword="null"/> when it does not say.</param>
    /// <param name="max">Lines of the event in a period.</param>
    /// <param name="now">A timestamp.</param>
    /// <returns>Whether it is logged.</returns>
    public bool TryTake(string? source, int max, long now)
    {
        if (!_isUsed)
        {
            _isUsed = true;
            _all.Since = now;
        }

        if (source is not null)
        {
            ref Share share = ref CollectionsMarshal.GetValueRefOrNullRef(_sources, source);
            if (!System.Runtime.CompilerServices.Unsafe.IsNullRef(ref share))
            {
                share.LeftOut++;
                return false;
            }
        }

        if (_lines >= max)
        {
            _all.LeftOut++;
            return false;
        }

        _lines++;
        if (source is not null)
        {
            _sources.Add(source, new Share { Since = now });
        }

        return true;
    }

    /// <summary>Reports what was left out by sources whose period is over, and begins the next period of these.</summary>
    public void TakeReports(List<LeftOutLines> reports, TimeSpan period, long now, TimeProvider time)
    {
        List<(string Source, Share Share)> over = [];
        foreach ((string source, Share share) in _sources)
        {
            if (time.GetElapsedTime(share.Since, now) >= period)
            {
                over.Add((source, share));
            }
        }

        over.Sort(static (first, second) => second.Share.LeftOut.CompareTo(first.Share.LeftOut));
        for (int i = 0; i < over.Count; i++)
        {
            (string source, Share share) = over[i];
            if (share.LeftOut > 0 && i < NamedSources)
            {
                Add(reports, share, source, now, time);
                _sources[source] = new Share { Since = now }; // the report was this source's line
                continue;
            }

            _all.LeftOut += share.LeftOut;
            _sources.Remove(source);
        }

        if (_isUsed && time.GetElapsedTime(_all.Since, now) >= period)
        {
            if (_all.LeftOut > 0)
            {
                Add(reports, _all, _sources.Count > 0 ? "other sources" : "all sources", now, time);
            }

            _all = default;
            _lines = 0;
            _isUsed = false;
        }
    }

    private void Add(List<LeftOutLines> reports, Share share, string source, long now, TimeProvider time) => reports.Add(new LeftOutLines(
        _name, _context, _level, share.LeftOut, source, (int)Math.Ceiling(time.GetElapsedTime(share.Since, now).TotalSeconds)));

    private struct Share
    {
        public long Since;
        public long LeftOut;
    }
}
