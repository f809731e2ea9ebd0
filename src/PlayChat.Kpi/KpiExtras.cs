namespace PlayChat.Kpi;

/// <summary>
/// Figures that a program measures itself and shows beside those of its server, such as the time spent waiting for a database connection.
/// </summary>
/// <remarks>Thread-safe. Figures may be added while snapshots are taken.</remarks>
public sealed class KpiExtras
{
    private readonly object _gate = new();
    private Source[] _sources = [];

    /// <summary>Adds a figure.</summary>
    /// <param name="name">The column's title, for example <c>db wait ms</c>; lower-case words. It comes after the other columns.</param>
    /// <param name="unit">The unit, for example <c>ms</c>.</param>
    /// <param name="read">
    /// Called once for each snapshot, on the thread that takes it; must be thread-safe and quick. When it throws, the figure is shown as
    /// missing.
    /// </param>
    /// <param name="isTotal">
    /// True for a total since the start that only rises: an interval then shows its growth. False (default) for a present value.
    /// </param>
    /// <param name="isDetail">True for a figure that is in snapshots and files and not in the table.</param>
    /// <exception cref="ArgumentException">The name is empty, or another figure has it already.</exception>
    public void Add(string name, string unit, Func<double> read, bool isTotal = false, bool isDetail = false)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        ArgumentNullException.ThrowIfNull(unit);
        ArgumentNullException.ThrowIfNull(read);
        var figure = new KpiExtra(name, unit, 0, isTotal) { IsDetail = isDetail };
        lock (_gate)
        {
            if (Array.Exists(_sources, source => source.Figure.Key == figure.Key))
            {
                throw new ArgumentException($"There is already a figure named '{name}'.", nameof(name));
            }

            _sources = [.. _sources, new Source(figure, read)];
        }
    }

    internal KpiExtra[] Read() => Array.ConvertAll(Volatile.Read(ref _sources), static source => source.Read());

    private sealed record Source(KpiExtra Figure, Func<double> Value)
    {
        internal KpiExtra Read()
        {
            try
            {
                return Figure with { Value = Value() };
            }
            catch (Exception)
            {
                // The function is the program's own and may throw anything. The other figures must still be seen, so this one is shown as
                // missing.
                return Figure with { Value = double.NaN };
            }
        }
    }
}
