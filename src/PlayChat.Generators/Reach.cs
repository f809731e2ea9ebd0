namespace PlayChat.Generators;

/// <summary>Whether code elsewhere in the assembly, as the mapping is, can name and make something.</summary>
internal static class Reach
{
    /// <returns><see langword="null"/> when it can be called, else why not and what to do.</returns>
    public static string? ProblemOf(IMethodSymbol method)
    {
        if (method.MethodKind == MethodKind.LocalFunction)
        {
            return "it is a local function; make it a method of a class";
        }

        if (method.MethodKind == MethodKind.ExplicitInterfaceImplementation)
        {
            return "it implements an interface explicitly; make it a method that can be called by its name";
        }

        if (IsHidden(method))
        {
            return $"it is {Access(method)}; make it internal or public";
        }

        INamedTypeSymbol type = method.ContainingType;
        return ProblemOf(type) ?? (method.IsStatic || type.RoomMember() is not null ? null : ProblemOfInstance(type));
    }

    /// <returns><see langword="null"/> when it can be named, else why not and what to do.</returns>
    public static string? ProblemOf(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? outer = type; outer is not null; outer = outer.ContainingType)
        {
            if (IsHidden(outer))
            {
                return $"'{outer.Display()}' is {Access(outer)}; make it internal or public";
            }

            if (outer.HasModifier("file"))
            {
                return $"'{outer.Display()}' is local to its file; make it internal or public";
            }

            if (outer.IsUnboundGenericType || outer.TypeArguments.Any(static argument => argument.TypeKind == TypeKind.TypeParameter))
            {
                return $"'{outer.Display()}' has type parameters, and nothing gives their types; take a class without";
            }
        }

        return null;
    }

    private static string? ProblemOfInstance(INamedTypeSymbol type)
    {
        if (type.TypeKind == TypeKind.Interface)
        {
            return $"'{type.Display()}' is an interface; put [Packet] on the method of a class";
        }

        if (type.TypeKind == TypeKind.Struct)
        {
            return $"'{type.Display()}' is a struct, which the router does not make; make it a class, or the method static";
        }

        return type.IsAbstract
            ? $"'{type.Display()}' is abstract, so the router cannot make it; put the handler in a class that is not, or make it static"
            : null;
    }

    private static bool IsHidden(ISymbol symbol) =>
        symbol.DeclaredAccessibility is Accessibility.Private
            or Accessibility.Protected
            or Accessibility.ProtectedAndInternal;

    private static string Access(ISymbol symbol) => symbol.DeclaredAccessibility switch
    {
        Accessibility.Private => "private",
        Accessibility.Protected => "protected",
        _ => "private protected",
    };
}
