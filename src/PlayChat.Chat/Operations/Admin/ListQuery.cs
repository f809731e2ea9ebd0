namespace PlayChat.Chat.Operations.Admin;

/// <summary>Which page of a list is asked for.</summary>
/// <param name="After">Only items with a higher id. Default 0, the first page. Sorted lists begin at their top and have one page.</param>
/// <param name="Limit">The most items, 1 to 1,000.</param>
/// <param name="Text">Only items whose names or addresses contain it; <see langword="null"/> for all.</param>
/// <param name="State">Only sessions in this state; <see langword="null"/> for all.</param>
/// <param name="RoomId">Only sessions in this room; <see langword="null"/> for all.</param>
/// <param name="Sort">What comes first; <c>id</c> for the lowest id.</param>
/// <param name="Measure">How long rates are measured; zero for no rates.</param>
internal sealed record ListQuery(
    long After = 0,
    int Limit = 100,
    string? Text = null,
    string? State = null,
    long? RoomId = null,
    string Sort = "id",
    TimeSpan Measure = default)
{
    public const int MaxLimit = 1000;

    public static readonly TimeSpan MaxMeasure = TimeSpan.FromSeconds(10);

    /// <summary>Checks what an operator has asked for.</summary>
    /// <param name="sorts">The allowed values of <see cref="Sort"/>.</param>
    /// <exception cref="AdminException">A value is out of range.</exception>
    public ListQuery Check(params string[] sorts)
    {
        if (Limit is < 1 or > MaxLimit)
        {
            throw AdminException.Invalid($"limit is {Limit}; allowed is 1 to {MaxLimit}.");
        }

        if (After < 0)
        {
            throw AdminException.Invalid($"after is {After}; allowed is 0 or the id of the last item of the page before.");
        }

        CheckMeasure(Measure);
        return sorts.Contains(Sort, StringComparer.Ordinal)
            ? this
            : throw AdminException.Invalid($"sort is '{Sort}'; allowed is {string.Join(", ", sorts)}.");
    }

    /// <exception cref="AdminException">It is out of range.</exception>
    public static void CheckMeasure(TimeSpan measure)
    {
        if (measure < TimeSpan.Zero || measure > MaxMeasure)
        {
            throw AdminException.Invalid(
                $"measureMs is {measure.TotalMilliseconds:0}; allowed is 0 to {MaxMeasure.TotalMilliseconds:0}.");
        }
    }
}
