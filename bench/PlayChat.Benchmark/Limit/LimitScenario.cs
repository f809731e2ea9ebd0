namespace PlayChat.Benchmark.Limit;

/// <summary>A load that PlayChat bears beside a minimal server in C, and the bars that it must meet.</summary>
/// <param name="Bars">The bars, as <see cref="LimitBar.Parse"/> reads them.</param>
/// <param name="Rooms">Rooms of a broadcast; 0 for an echo.</param>
/// <param name="Hertz">Ticks a second of each room, in which the rooms send and the load only listens; 0 for none.</param>
/// <param name="MaxOutboundBytes">The most that waits for one reader; 0 for the server's default.</param>
/// <param name="Unpinned">Whether server and load have all processors, instead of one each.</param>
/// <param name="Warmed">Whether 1,000 connections come and go before, so that the runtime has taken what it takes for itself.</param>
/// <param name="LeastSeconds">The least that count, where little happens in one; 0 for those of the command line.</param>
/// <param name="MostRounds">Fewer than the command line's, where a figure varies little or takes long.</param>
/// <param name="CountsCollections">Whether the server's own figures count its collections under the load.</param>
/// <param name="Servers">The servers, where they are not those of the part.</param>
/// <param name="Columns">The columns, where they are not those of the part.</param>
internal sealed record LimitScenario(
    LimitPart Part,
    string Name,
    string Load,
    string Bars,
    int Rooms = 0,
    int Hertz = 0,
    int FlushMs = 0,
    int MaxOutboundBytes = 0,
    bool Unpinned = false,
    bool Warmed = false,
    double LeastSeconds = 0,
    int MostRounds = int.MaxValue,
    bool CountsCollections = false,
    string? Servers = null,
    string? Columns = null)
{
    public string Servers { get; } = Servers ?? Part.Servers;

    public string Columns { get; } = Columns ?? Part.Columns;

    public bool OnlyStarts => Load.Length == 0;

    public int Connections => Load.Split(' ') is ["--conns", var count, ..] ? int.Parse(count, CultureInfo.InvariantCulture) : 0;

    public bool OverTls => Part == LimitScenarios.Tls;

    public string Peer => Hertz > 0 ? "ctick" : Rooms > 0 ? "cbcast" : OverTls ? "tlsecho" : "cecho";

    public string Generator => Hertz > 0 ? "tickload" : Rooms > 0 ? "bcastload" : OverTls ? "tlsload" : "loadgen";

    public string Describe()
    {
        string rooms = Rooms > 0 ? $"{Rooms} room{(Rooms == 1 ? string.Empty : "s")}" : string.Empty;
        string hertz = Hertz > 0 ? $"{Hertz} Hz" : string.Empty;
        string flush = FlushMs > 0 ? $"FlushInterval {FlushMs} ms" : string.Empty;
        string start = OnlyStarts ? "start" : string.Empty;
        string place = Unpinned ? "on all processors" : string.Empty;
        string[] all = [Load, rooms, hertz, flush, start, place];
        return $"{Name,-10} {string.Join(", ", all.Where(static text => text.Length > 0))}";
    }
}

/// <param name="Servers">The servers that its scenarios run, in this order.</param>
/// <param name="Columns">The expressions of its tables (<see cref="LimitRow.Value"/>).</param>
internal sealed record LimitPart(string Name, string About, string Servers, string Columns);
