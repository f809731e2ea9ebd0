namespace PlayChat.Generators;

/// <summary>Checks an attribute beside [Packet], wherever it stands.</summary>
internal static class AttributeCheck
{
    public static EquatableArray<Problem> Check(GeneratorAttributeSyntaxContext context, string name, CancellationToken cancellationToken)
    {
        ISymbol target = context.TargetSymbol;
        var problems = new List<Problem>();
        foreach (AttributeData attribute in context.Attributes)
        {
            Place place = Place.Of(attribute, target, cancellationToken);
            if (HandlerAttributes.ProblemOfArguments(attribute, name) is { } unusable)
            {
                problems.Add(new Problem(Rules.BadArgument, place, ShortName(name), target.Display(), unusable));
            }

            if (ReasonForNothing(target, name) is { } reason)
            {
                problems.Add(new Problem(Rules.IdleAttribute, place, ShortName(name), target.Display(), reason));
            }
        }

        return new EquatableArray<Problem>([.. problems]);
    }

    private static string? ReasonForNothing(ISymbol target, string name)
    {
        if (name == Names.AllowBeforeLogin && target.Has(Names.RequireLogin))
        {
            return "[RequireLogin] beside it goes first; remove one of the two";
        }

        if (target is IMethodSymbol method)
        {
            return method.Has(Names.Packet) ? null : "the method has no [Packet]";
        }

        if (target is not INamedTypeSymbol type)
        {
            return null;
        }

        List<IMethodSymbol> handlers = [.. type.GetMembers().OfType<IMethodSymbol>().Where(static member => member.Has(Names.Packet))];
        if (handlers.Count == 0)
        {
            if (type.AllInterfaces.Any(static implemented => implemented.Is(Names.PacketHandler)))
            {
                return "it counts for methods with [Packet]; for this class, call the method of that name on what MapPacket returns";
            }

            // What may be derived from may have its handlers there.
            return type.IsSealed || type.IsStatic ? "no method of the class has [Packet]" : null;
        }

        if (name != Names.Scoped)
        {
            return null;
        }

        return type.RoomMember() is not null ? "a room is not made for a message"
            : handlers.All(static handler => handler.IsStatic) ? "its handlers are static, so nothing is made for a message"
            : null;
    }

    private static string ShortName(string attribute)
    {
        string name = attribute.Substring(attribute.LastIndexOf('.') + 1);
        return name.Substring(0, name.Length - nameof(Attribute).Length);
    }
}
