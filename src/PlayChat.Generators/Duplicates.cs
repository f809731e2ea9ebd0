namespace PlayChat.Generators;

/// <summary>Finds packet ids that several methods, or several messages of a set, want.</summary>
internal static class Duplicates
{
    public static IEnumerable<Problem> Find(DiagnosticDescriptor rule, IEnumerable<(ushort Id, Place Place, string Name)> all) => all
        .GroupBy(static one => one.Id)
        .SelectMany(same => same.Skip(1).Select(second => new Problem(
            rule, second.Place, second.Id.ToString(CultureInfo.InvariantCulture), same.First().Name, second.Name)));
}
