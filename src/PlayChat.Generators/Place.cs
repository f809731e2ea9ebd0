using Microsoft.CodeAnalysis.Text;

namespace PlayChat.Generators;

/// <summary>Where something stands in the source, without holding on to the compilation as a <see cref="Location"/> does.</summary>
internal sealed record Place(string Path, TextSpan Span, LinePositionSpan Lines)
{
    /// <summary>Nowhere, where the place does not matter.</summary>
    public static Place None { get; } = new("", default, default);

    public static Place Of(ISymbol symbol) => Of(symbol.Locations[0]);

    public static Place Of(AttributeData attribute, ISymbol otherwise, CancellationToken cancellationToken) =>
        attribute.ApplicationSyntaxReference is { } reference ? Of(reference.GetSyntax(cancellationToken).GetLocation()) : Of(otherwise);

    /// <summary>A location in the compilation's own file, so that it is shown and can be suppressed there.</summary>
    public Location In(Compilation compilation) =>
        compilation.SyntaxTrees.FirstOrDefault(tree => tree.FilePath == Path) is { } tree
            ? Location.Create(tree, Span)
            : Location.Create(Path, Span, Lines);

    private static Place Of(Location location) =>
        new(location.SourceTree?.FilePath ?? "", location.SourceSpan, location.GetLineSpan().Span);
}
