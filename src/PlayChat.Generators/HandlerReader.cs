namespace PlayChat.Generators;

/// <summary>Reads a method with [Packet]: what it handles and how to call it, or why the generator refuses it.</summary>
internal static class HandlerReader
{
    public static HandlerReading? Read(GeneratorAttributeSyntaxContext context, CancellationToken cancellationToken)
    {
        if (context.TargetSymbol is not IMethodSymbol method)
        {
            return null; // The compiler refuses [Packet] on anything else.
        }

        AttributeData attribute = context.Attributes[0];
        Place place = Place.Of(attribute, method, cancellationToken);
        Place name = Place.Of(method);
        var problems = new List<Problem>();

        var signature = HandlerSignature.Read(method);
        ushort? id = PacketIdReader.Read(attribute, signature.Message, out string idText);
        if (id is null && (signature.Problem is null || attribute.ConstructorArguments.Length > 0))
        {
            problems.Add(new Problem(Rules.BadId, place, method.Display(), idText));
        }

        if (signature.Problem is { } wrong)
        {
            problems.Add(new Problem(Rules.WrongSignature, name, method.Display(), wrong));
        }

        if (Reach.ProblemOf(method) is { } outOfReach)
        {
            problems.Add(new Problem(Rules.Unreachable, name, method.Display(), outOfReach));
        }

        HandlerModel? handler = problems.Count > 0
            ? null
            : new HandlerModel(
                id!.Value,
                idText,
                KindOf(method),
                method.ContainingType.Written(),
                method.WrittenName(),
                signature.Message!.Written(),
                signature.Member?.Written(),
                signature.TakesContext,
                signature.TakesToken,
                signature.Result,
                signature.Answer?.Written(),
                HandlerAttributes.Read(method));
        return new HandlerReading(handler, method.Display(), place, new EquatableArray<Problem>([.. problems]));
    }

    private static HandlerKind KindOf(IMethodSymbol method) =>
        method.IsStatic ? HandlerKind.Static
        : method.ContainingType.RoomMember() is not null ? HandlerKind.Room
        : HandlerAttributes.IsScoped(method.ContainingType) ? HandlerKind.Scoped
        : HandlerKind.Shared;
}
