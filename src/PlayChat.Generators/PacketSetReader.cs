namespace PlayChat.Generators;

/// <summary>Reads [PacketId] and [JsonPackets].</summary>
internal static class PacketSetReader
{
    public static MessageReading ReadMessage(GeneratorAttributeSyntaxContext context, CancellationToken cancellationToken)
    {
        var type = (INamedTypeSymbol)context.TargetSymbol;
        AttributeData attribute = context.Attributes[0];
        Place place = Place.Of(attribute, type, cancellationToken);
        var problems = new List<Problem>();
        ushort? id = PacketIdReader.Read(attribute, out string idText);
        if (id is null)
        {
            problems.Add(new Problem(Rules.BadId, place, type.Display(), idText));
        }

        string? wrong = type.IsGenericType ? "it has type parameters; a message is a type without" : Reach.ProblemOf(type);
        if (wrong is not null)
        {
            problems.Add(new Problem(Rules.NotInSet, place, type.Display(), wrong));
            id = null;
        }

        bool isFailure =
            attribute.NamedArguments.FirstOrDefault(static argument => argument.Key == "IsFailure").Value.Value as bool? ?? false;
        return new MessageReading(id, type.Written(), type.Display(), isFailure, place, new EquatableArray<Problem>([.. problems]));
    }

    public static SetReading ReadSet(GeneratorAttributeSyntaxContext context, CancellationToken cancellationToken)
    {
        var type = (INamedTypeSymbol)context.TargetSymbol;
        AttributeData attribute = context.Attributes[0];
        var jsonContext = attribute.Argument()?.Value as INamedTypeSymbol;
        string? problem =
            type.ContainingType is not null ? "it is inside another type; put it into a namespace"
            : type.IsGenericType || !type.HasModifier("partial") || !type.IsStatic
                ? "it is no static partial class without type parameters; make it one"
            : jsonContext?.WithBases().Any(static ancestor => ancestor.Is(Names.JsonContext)) != true
                ? "its context is no JsonSerializerContext; give a class that derives from it"
            : null;
        EquatableArray<Problem> problems = new(
            problem is null ? [] : [new Problem(Rules.NotInSet, Place.Of(attribute, type, cancellationToken), type.Display(), problem)]);
        IEnumerable<string> types = jsonContext?.All(Names.JsonSerializable)
            .Select(static serializable => serializable.ConstructorArguments.FirstOrDefault().Value)
            .OfType<ITypeSymbol>()
            .Select(static serialized => serialized.Written()) ?? [];
        return new SetReading(
            type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString(),
            type.Name,
            jsonContext?.Written() ?? "",
            jsonContext?.Display() ?? "",
            new EquatableArray<string>([.. types]),
            problems);
    }
}
