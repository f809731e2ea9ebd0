using System.Reflection;

namespace PlayChat.Tool;

/// <summary>A type as C# declares it: what in it may be null, and with its type arguments filled in.</summary>
/// <param name="Type">Without Nullable.</param>
/// <param name="CanBeNull">Also for a type from code that does not say so.</param>
/// <param name="Arguments">The type arguments, or an array's element.</param>
internal sealed record Annotated(Type Type, bool CanBeNull, IReadOnlyList<Annotated> Arguments)
{
    private const string Compiler = "System.Runtime.CompilerServices.";

    /// <summary>A type of which nothing was declared.</summary>
    public static Annotated Of(Type type) => Of(type, null, []);

    /// <param name="declared">As the member has it, with type parameters.</param>
    /// <param name="member">Has the attributes of the declaration.</param>
    /// <param name="parameters">Stand for the type parameters.</param>
    public static Annotated Of(Type declared, MemberInfo? member, IReadOnlyList<Annotated> parameters)
    {
        byte[] flags = member is null ? [1] : FlagsOf(member);
        int next = 0;
        return Read(declared);

        byte Next() => flags[flags.Length == 1 ? 0 : Math.Min(next++, flags.Length - 1)];

        Annotated Read(Type type)
        {
            if (type.IsGenericParameter)
            {
                bool isMarked = Next() == 2;
                Annotated argument = parameters[type.GenericParameterPosition];
                return isMarked ? argument with { CanBeNull = true } : argument;
            }

            if (type.IsGenericType && type.GetGenericTypeDefinition().FullName == "System.Nullable`1")
            {
                return Read(type.GetGenericArguments()[0]) with { CanBeNull = true };
            }

            bool hasFlag = !type.IsValueType || type.IsGenericType;
            bool canBeNull = hasFlag && Next() != 1 && !type.IsValueType;
            Type[] arguments = type.IsArray ? [type.GetElementType()!] : type.GetGenericArguments();
            return new Annotated(type, canBeNull, [.. arguments.Select(Read)]);
        }
    }

    /// <summary>Identifies the type with all that is said of it.</summary>
    public string Key => Type.Namespace + "." + (Type.DeclaringType?.Name ?? "") + "." + Type.Name
        + (Arguments.Count == 0 ? "" : $"<{string.Join(",", Arguments.Select(static argument => argument.Key))}>") + (CanBeNull ? "?" : "");

    /// <summary>As C# writes it, for people.</summary>
    public string Display => Type.IsArray
        ? Arguments[0].Display + "[]"
        : Type.Name.Split('`')[0]
            + (Arguments.Count == 0 ? "" : $"<{string.Join(", ", Arguments.Select(static argument => argument.Display))}>")
            + (CanBeNull ? "?" : "");

    /// <summary>The type arguments of an interface that the type is or has.</summary>
    public IReadOnlyList<Annotated>? ArgumentsOf(string name)
    {
        bool IsIt(Type type) => type.IsGenericType && type.GetGenericTypeDefinition().FullName == name;

        // With the type's own parameters, for which Arguments stand: List<string?> has IEnumerable<string?>.
        Type type = Type.IsGenericType ? Type.GetGenericTypeDefinition() : Type;
        return IsIt(type)
            ? Arguments
            : Array.Find(type.GetInterfaces(), IsIt)?.GetGenericArguments().Select(argument => Of(argument, null, Arguments)).ToArray();
    }

    private static byte[] FlagsOf(MemberInfo member)
    {
        if (member.Find(Compiler + "NullableAttribute") is { } attribute)
        {
            return attribute.ConstructorArguments[0].Value is byte one
                ? [one]
                : [.. attribute.Argument<IReadOnlyCollection<CustomAttributeTypedArgument>>(0)!.Select(static flag => (byte)flag.Value!)];
        }

        for (MemberInfo? scope = member; scope is not null; scope = scope.DeclaringType)
        {
            if (scope.Find(Compiler + "NullableContextAttribute") is { } context)
            {
                return [context.Argument<byte>(0)];
            }
        }

        return [0];
    }
}
