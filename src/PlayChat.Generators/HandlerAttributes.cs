namespace PlayChat.Generators;

/// <summary>Reads the attributes beside [Packet]: those of the method go before those of its class, these before those of its base
/// classes.</summary>
internal static class HandlerAttributes
{
    public static readonly string[] All =
    [
        Names.RequireLogin,
        Names.AllowBeforeLogin,
        Names.RateLimit,
        Names.MaxBodyBytes,
        Names.UseFilter,
        Names.Scoped,
    ];

    public static HandlerOptions Read(IMethodSymbol method)
    {
        ISymbol[] outward = [method, .. method.ContainingType.WithBases()];
        return new HandlerOptions(
            outward.Select(NeedsLogin).FirstOrDefault(static needs => needs is not null),
            Sound(outward, Names.RateLimit).Select(WrittenLimit).FirstOrDefault(),
            Sound(outward, Names.MaxBodyBytes).Select(SizeOf).FirstOrDefault(),
            new EquatableArray<string>(
                [.. Sound(outward.Reverse(), Names.UseFilter).Select(static attribute => FilterOf(attribute)!.Written())]));
    }

    public static bool IsScoped(INamedTypeSymbol type) => type.WithBases().Any(static ancestor => ancestor.Has(Names.Scoped));

    /// <returns><see langword="null"/> when the attribute can work as it is, else why not.</returns>
    public static string? ProblemOfArguments(AttributeData attribute, string name) => name switch
    {
        Names.UseFilter => ProblemOfFilter(attribute),
        Names.RateLimit => ProblemOfLimit(attribute),
        Names.MaxBodyBytes => ProblemOfSize(attribute),
        _ => null,
    };

    private static IEnumerable<AttributeData> Sound(IEnumerable<ISymbol> symbols, string name) =>
        symbols.SelectMany(symbol => symbol.All(name)).Where(attribute => ProblemOfArguments(attribute, name) is null);

    private static string? ProblemOfFilter(AttributeData attribute)
    {
        if (FilterOf(attribute) is not { } filter || !filter.OriginalDefinition.Inherits(Names.PacketFilter))
        {
            return "its type is no PacketFilter; give a class that derives from it";
        }

        return filter.IsAbstract
            ? $"'{filter.Display()}' is abstract; give a class that can be made"
            : Reach.ProblemOf(filter);
    }

    // The bounds are those of PacketRouteBuilder.RateLimit, which would refuse them at the start.
    private static string? ProblemOfLimit(AttributeData attribute)
    {
        (int count, double seconds) = LimitOf(attribute);
        return count is < 1 or > 1_000_000 ? "the count must be from 1 to 1000000"
            : seconds is >= 0.001 and <= 86_400 ? null
            : "PerSeconds must be from 0.001 to 86400";
    }

    // The bounds are those of PacketRouteBuilder.MaxBodyBytes.
    private static string? ProblemOfSize(AttributeData attribute) =>
        SizeOf(attribute) is >= 0 and <= 268_435_456 ? null : "the size must be from 0 to 268435456 bytes";

    private static int? SizeOf(AttributeData attribute) => attribute.Argument()?.Value as int?;

    private static string WrittenLimit(AttributeData attribute)
    {
        (int count, double seconds) = LimitOf(attribute);
        return string.Format(CultureInfo.InvariantCulture, "{0}, {1:R}", count, seconds);
    }

    private static (int Count, double Seconds) LimitOf(AttributeData attribute) =>
        (attribute.Argument()?.Value as int? ?? 0,
            attribute.NamedArguments.FirstOrDefault(static argument => argument.Key == "PerSeconds").Value.Value as double? ?? 1);

    private static INamedTypeSymbol? FilterOf(AttributeData attribute) => attribute.Argument()?.Value as INamedTypeSymbol;

    private static bool? NeedsLogin(ISymbol symbol) =>
        symbol.Has(Names.RequireLogin) ? true
        : symbol.Has(Names.AllowBeforeLogin) ? false
        : null;
}
