using System.Reflection;

namespace PlayChat.ApiReference;

/// <summary>The names of members in XML documentation: C# language specification, annex D.4.2, "ID string format".</summary>
internal static class DocumentationId
{
    private const BindingFlags All =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    /// <summary>The name of a type or member.</summary>
    public static string Of(MemberInfo member) => member switch
    {
        Type type => $"T:{TypeName(type)}",
        FieldInfo field => $"F:{TypeName(field.DeclaringType!)}.{field.Name}",
        EventInfo made => $"E:{TypeName(made.DeclaringType!)}.{made.Name}",
        PropertyInfo property => $"P:{TypeName(property.DeclaringType!)}.{property.Name}{Parameters(property.GetIndexParameters())}",
        MethodBase method => $"M:{TypeName(method.DeclaringType!)}.{MethodName(method)}{Parameters(method.GetParameters())}",
        _ => throw new ArgumentException($"{member} is no type or member.", nameof(member)),
    };

    /// <summary>What a type or member may inherit its documentation from, nearest first.</summary>
    public static IEnumerable<MemberInfo> Inherited(MemberInfo member)
    {
        Type type = member as Type ?? member.DeclaringType!;
        IEnumerable<Type> bases = Bases(type).Concat(type.GetInterfaces())
            .Select(static made => made.IsGenericType ? made.GetGenericTypeDefinition() : made);
        return member is Type ? bases
            : bases.SelectMany(made => made.GetMember(member.Name, All).Where(found => CountOf(found) == CountOf(member)));
    }

    private static IEnumerable<Type> Bases(Type type)
    {
        for (Type? made = type.BaseType; made is not null; made = made.BaseType)
        {
            yield return made;
        }
    }

    private static int CountOf(MemberInfo member) => member is MethodBase method ? method.GetParameters().Length : -1;

    private static string MethodName(MethodBase method) =>
        method.IsConstructor ? "#ctor" : method.IsGenericMethod ? $"{method.Name}``{method.GetGenericArguments().Length}" : method.Name;

    private static string Parameters(ParameterInfo[] parameters) =>
        parameters.Length == 0 ? "" : $"({string.Join(',', parameters.Select(static parameter => Argument(parameter.ParameterType)))})";

    private static string TypeName(Type type) => (type.FullName ?? $"{type.Namespace}.{type.Name}").Replace('+', '.');

    private static string Argument(Type type)
    {
        if (type.IsByRef)
        {
            return $"{Argument(type.GetElementType()!)}@";
        }

        if (type.IsArray)
        {
            return $"{Argument(type.GetElementType()!)}[]";
        }

        if (type.IsGenericParameter)
        {
            return $"{(type.DeclaringMethod is null ? "`" : "``")}{type.GenericParameterPosition}";
        }

        if (!type.IsGenericType)
        {
            return TypeName(type);
        }

        string name = TypeName(type.GetGenericTypeDefinition());
        return $"{name[..name.IndexOf('`', StringComparison.Ordinal)]}{{{string.Join(',', type.GetGenericArguments().Select(Argument))}}}";
    }
}
