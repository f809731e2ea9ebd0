namespace PlayChat.Generators;

/// <summary>Finds packet ids that several methods want.</summary>
internal static class Duplicates
{
    public static ImmutableArray<Problem> Find(ImmutableArray<HandlerReading> readings)
    {
        ImmutableArray<Problem>.Builder problems = ImmutableArray.CreateBuilder<Problem>();
        var first = new Dictionary<ushort, HandlerReading>();
        foreach (HandlerReading reading in readings)
        {
            if (reading.Handler is not { } handler)
            {
                continue;
            }

            if (!first.TryGetValue(handler.Id, out HandlerReading? there))
            {
                first.Add(handler.Id, reading);
                continue;
            }

            problems.Add(new Problem(
                Rules.DuplicateId, reading.Place, handler.Id.ToString(CultureInfo.InvariantCulture), there.Method, reading.Method));
        }

        return problems.ToImmutable();
    }
}
