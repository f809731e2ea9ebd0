using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PlayChat.Generators;

/// <summary>What the readers ask of symbols.</summary>
internal static class SymbolExtensions
{
    private static readonly SymbolDisplayFormat s_written = SymbolDisplayFormat.FullyQualifiedFormat
        .AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    private static readonly SymbolDisplayFormat s_display = new(
        typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameAndContainingTypes,
        genericsOptions: SymbolDisplayGenericsOptions.IncludeTypeParameters,
        memberOptions: SymbolDisplayMemberOptions.IncludeContainingType,
        miscellaneousOptions: SymbolDisplayMiscellaneousOptions.UseSpecialTypes);

    /// <summary>The type as generated code writes it, from the global namespace on.</summary>
    public static string Written(this ITypeSymbol type) =>
        type.WithNullableAnnotation(NullableAnnotation.NotAnnotated).ToDisplayString(s_written);

    /// <summary>The method's name as generated code writes it.</summary>
    public static string WrittenName(this IMethodSymbol method) =>
        SyntaxFacts.GetKeywordKind(method.Name) == SyntaxKind.None ? method.Name : "@" + method.Name;

    /// <summary>The name as a person reads it, without namespaces.</summary>
    public static string Display(this ISymbol symbol) => symbol.ToDisplayString(s_display);

    /// <summary>Whether it is the type of that metadata name, or made of it by type arguments.</summary>
    public static bool Is(this ITypeSymbol type, string name) =>
        name.EndsWith(type.MetadataName, StringComparison.Ordinal)
        && type.ContainingType is null
        && $"{type.ContainingNamespace?.ToDisplayString()}.{type.MetadataName}" == name;

    /// <summary>The class and those that it derives from, itself first.</summary>
    public static IEnumerable<INamedTypeSymbol> WithBases(this INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? ancestor = type; ancestor is not null; ancestor = ancestor.BaseType)
        {
            yield return ancestor;
        }
    }

    /// <summary>Whether it is a task, or what <c>?.</c> makes of a ValueTask.</summary>
    public static bool IsTask(this ITypeSymbol type) => type is INamedTypeSymbol named
        && (named.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T
            ? named.TypeArguments[0].IsTask()
            : named.WithBases().Any(static ancestor => ancestor.Is(Names.Task))
            || named.Is(Names.ValueTask) || named.Is(Names.ValueTaskOfResult));

    public static bool Inherits(this INamedTypeSymbol type, string name) => type.WithBases().Skip(1).Any(ancestor => ancestor.Is(name));

    /// <summary>Whether the type is declared with a modifier for which symbols have no property in the compiler that this is built
    /// against; a newer one has <c>IsFileLocal</c>.</summary>
    public static bool HasModifier(this INamedTypeSymbol type, string modifier) =>
        type.DeclaringSyntaxReferences.Any(reference =>
            reference.GetSyntax() is BaseTypeDeclarationSyntax declaration
            && declaration.Modifiers.Any(token => token.ValueText == modifier));

    /// <summary>The type of the members when this is a room that has one, else <see langword="null"/>.</summary>
    public static ITypeSymbol? RoomMember(this INamedTypeSymbol type) =>
        type.WithBases().Skip(1).FirstOrDefault(static ancestor => ancestor.Is(Names.RoomOfMembers))?.TypeArguments[0];

    /// <summary>Those of its attributes that have this full name.</summary>
    public static IEnumerable<AttributeData> All(this ISymbol symbol, string attribute) =>
        symbol.GetAttributes().Where(data => data.AttributeClass?.Is(attribute) == true);

    public static bool Has(this ISymbol symbol, string attribute) => symbol.All(attribute).Any();

    /// <summary>The only argument of the attribute's constructor; <see langword="null"/> while it is not written.</summary>
    public static TypedConstant? Argument(this AttributeData attribute) =>
        attribute.ConstructorArguments.Length == 1 ? attribute.ConstructorArguments[0] : null;
}
