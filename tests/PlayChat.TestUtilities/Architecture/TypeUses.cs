using System.Reflection;

namespace PlayChat.TestUtilities.Architecture;

/// <summary>Lists the types that a type uses, each with the member that uses it.</summary>
internal static class TypeUses
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    /// <summary>Lists the uses of one type. Its nested types are not included.</summary>
    public static IEnumerable<(Type Used, string Member)> Of(Type type) =>
        Direct(type).SelectMany(static use => Parts(use.Used).Select(part => (part, use.Member)));

    private static IEnumerable<(Type Used, string Member)> Direct(Type type)
    {
        IEnumerable<Type> declared =
        [
            .. type.BaseType is { } parent ? [parent] : Type.EmptyTypes,
            .. type.GetInterfaces(),
            .. Attributes(type),
            .. Constraints(type.GetGenericArguments()),
        ];
        foreach (Type used in declared)
        {
            yield return (used, "the declaration");
        }

        foreach (FieldInfo field in type.GetFields(Declared))
        {
            foreach (Type used in Attributes(field).Prepend(field.FieldType))
            {
                yield return (used, field.Name);
            }
        }

        foreach (PropertyInfo property in type.GetProperties(Declared))
        {
            foreach (Type used in Attributes(property))
            {
                yield return (used, property.Name);
            }
        }

        foreach (MethodBase method in type.GetMethods(Declared).Cast<MethodBase>().Concat(type.GetConstructors(Declared)))
        {
            foreach (Type used in Signature(method).Concat(MethodBodyUses.Of(method)))
            {
                // A closure's or state machine's name contains the method's name; its own method is always named alike.
                yield return (used, type.Name.StartsWith('<') ? type.Name : method.Name);
            }
        }
    }

    private static IEnumerable<Type> Signature(MethodBase method) =>
    [
        .. method is MethodInfo { ReturnType: var returned } ? [returned] : Type.EmptyTypes,
        .. method.GetParameters().Select(static parameter => parameter.ParameterType),
        .. Attributes(method),
        .. Constraints(method.IsGenericMethod ? method.GetGenericArguments() : []),
    ];

    private static IEnumerable<Type> Attributes(MemberInfo member) => member.GetCustomAttributesData().SelectMany(static attribute =>
        attribute.ConstructorArguments.Concat(attribute.NamedArguments.Select(static argument => argument.TypedValue))
            .Select(static argument => argument.Value as Type ?? argument.ArgumentType)
            .Prepend(attribute.AttributeType));

    private static IEnumerable<Type> Constraints(Type[] arguments) =>
        arguments.Where(static argument => argument.IsGenericParameter).SelectMany(
            static argument => argument.GetGenericParameterConstraints());

    private static IEnumerable<Type> Parts(Type type)
    {
        if (type.HasElementType)
        {
            return Parts(type.GetElementType()!);
        }

        if (type.IsFunctionPointer)
        {
            return type.GetFunctionPointerParameterTypes().Append(type.GetFunctionPointerReturnType()).SelectMany(Parts);
        }

        return type.IsGenericType && !type.IsGenericTypeDefinition
            ? type.GetGenericArguments().SelectMany(Parts).Prepend(type.GetGenericTypeDefinition())
            : [type];
    }
}
