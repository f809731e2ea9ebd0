namespace PlayChat.Kpi;

/// <summary>A figure that the program measures itself: see <see cref="KpiExtras.Add"/>.</summary>
/// <param name="Name">The column's title, for example <c>db wait ms</c>.</param>
/// <param name="Unit">The unit, for example <c>ms</c>.</param>
/// <param name="Value">Its value; not a number when reading it failed.</param>
/// <param name="IsTotal">Whether it only rises, so that an interval shows its growth.</param>
public readonly record struct KpiExtra(string Name, string Unit, double Value, bool IsTotal)
{
    /// <summary>Whether it is left out of the table on the console, which has no room for everything.</summary>
    public bool IsDetail { get; init; }

    /// <summary>The name in JSON: snake case, for example <c>db_wait_ms</c>.</summary>
    public string Key => JsonNamingPolicy.SnakeCaseLower.ConvertName(Name);
}
