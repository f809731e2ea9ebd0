using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace PlayChat.ApiReference;

/// <summary>How types and members are written in C#.</summary>
internal static class Signatures
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    private static readonly NullabilityInfoContext s_nullability = new();

    private static readonly Dictionary<Type, string> s_keywords = new()
    {
        [typeof(void)] = "void",
        [typeof(bool)] = "bool",
        [typeof(byte)] = "byte",
        [typeof(short)] = "short",
        [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(float)] = "float",
        [typeof(double)] = "double",
        [typeof(char)] = "char",
        [typeof(string)] = "string",
        [typeof(object)] = "object",
    };

    /// <summary>A type's own name with its parameters.</summary>
    public static string NameOf(Type type)
    {
        if (s_keywords.TryGetValue(type, out string? keyword))
        {
            return keyword;
        }

        if (type.IsByRef)
        {
            return NameOf(type.GetElementType()!);
        }

        if (type.IsArray)
        {
            return $"{NameOf(type.GetElementType()!)}[]";
        }

        if (Nullable.GetUnderlyingType(type) is { } value)
        {
            return $"{NameOf(value)}?";
        }

        string name = type.IsNested && !type.IsGenericParameter ? $"{NameOf(type.DeclaringType!)}.{type.Name}" : type.Name;
        return type.IsGenericType
            ? $"{name.Split('`')[0]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>"
            : name;
    }

    /// <summary>A type's declaration.</summary>
    public static string Declaration(Type type)
    {
        string kind = type switch
        {
            { IsEnum: true } => "enum",
            { IsInterface: true } => "interface",
            { IsValueType: true } => "struct",
            { IsAbstract: true, IsSealed: true } => "static class",
            { IsAbstract: true } => "abstract class",
            { IsSealed: true } => "sealed class",
            _ => "class",
        };
        if (typeof(Delegate).IsAssignableFrom(type))
        {
            MethodInfo invoke = type.GetMethod("Invoke")!;
            return $"delegate {NameOf(invoke.ReturnType)} {NameOf(type)}({Parameters(invoke)})";
        }

        string[] bases =
        [
            .. type is { IsClass: true, BaseType: { } parent } && parent != typeof(object) ? [NameOf(parent)] : Array.Empty<string>(),
            .. type.IsValueType ? Enumerable.Empty<string>() : type.GetInterfaces().Except(type.BaseType?.GetInterfaces() ?? [])
                .Where(static made => made.IsPublic).Select(NameOf).Order(StringComparer.Ordinal),
        ];
        return $"{kind} {NameOf(type)}{(bases.Length > 0 ? $" : {string.Join(", ", bases)}" : "")}";
    }

    /// <summary>The members that a user of the package can name.</summary>
    public static IEnumerable<MemberInfo> MembersOf(Type type)
    {
        if (typeof(Delegate).IsAssignableFrom(type))
        {
            return [];
        }

        return type.GetMembers(Declared)
            .Where(static member =>
                IsVisible(member) && member is not Type && !member.IsDefined(typeof(CompilerGeneratedAttribute)) && !IsOfRecord(member))
            .Where(static member => member is ConstructorInfo || member is not MethodBase { IsSpecialName: true })
            .Where(static member => member.Name != "value__")
            .OrderBy(static member => member is ConstructorInfo ? 0 : member is FieldInfo ? 1 : member is PropertyInfo ? 2 : 3)
            .ThenBy(static member => member is FieldInfo { IsLiteral: true, DeclaringType.IsEnum: true } field
                ? Convert.ToInt64(field.GetRawConstantValue(), CultureInfo.InvariantCulture) : 0)
            .ThenBy(static member => member.Name, StringComparer.Ordinal)
            .ThenBy(Of, StringComparer.Ordinal);
    }

    /// <summary>A member's declaration.</summary>
    public static string Of(MemberInfo member) => member switch
    {
        FieldInfo { DeclaringType.IsEnum: true } value =>
            $"{value.Name} = {Convert.ToInt64(value.GetRawConstantValue(), CultureInfo.InvariantCulture)}",
        FieldInfo { IsLiteral: true } constant =>
            $"const {NameOf(constant.FieldType)} {constant.Name} = {Literal(constant.GetRawConstantValue())}",
        FieldInfo field => $"{Modifiers(field.IsStatic, field.IsFamily, false)}{NameOf(field.FieldType)} {field.Name}",
        PropertyInfo property => $"{Of(property)}",
        EventInfo made => $"event {NameOf(made.EventHandlerType!)} {made.Name}",
        ConstructorInfo made => $"{Modifiers(false, made.IsFamily, false)}{NameOf(made.DeclaringType!).Split('<')[0]}({Parameters(made)})",
        MethodInfo method =>
            $"{Modifiers(method)}{NameOf(method.ReturnType)}{Mark(method.ReturnParameter)} {method.Name}{Arguments(method)}"
            + $"({Parameters(method)})",
        _ => member.Name,
    };

    private static string Of(PropertyInfo property)
    {
        MethodInfo? get = Visible(property.GetMethod);
        MethodInfo? set = Visible(property.SetMethod);
        MethodInfo any = get ?? set!;
        string setter = set is null ? "" : set.ReturnParameter.GetRequiredCustomModifiers()
            .Contains(typeof(IsExternalInit)) ? " init;" : " set;";
        string name = property.GetIndexParameters() is { Length: > 0 } index
            ? $"this[{string.Join(", ", index.Select(static parameter => $"{NameOf(parameter.ParameterType)} {parameter.Name}"))}]"
            : property.Name;
        return $"{Modifiers(any.IsStatic, any.IsFamily || any.IsFamilyOrAssembly, false)}{NameOf(property.PropertyType)}"
            + $"{Mark(property)} {name} {{{(get is null ? "" : " get;")}{setter} }}";
    }

    private static MethodInfo? Visible(MethodInfo? method) =>
        method is { IsPublic: true } or { IsFamily: true } or { IsFamilyOrAssembly: true } ? method : null;

    private static bool IsVisible(MemberInfo member) => member switch
    {
        FieldInfo field => field.IsPublic || field.IsFamily,
        PropertyInfo property => Visible(property.GetMethod) is not null || Visible(property.SetMethod) is not null,
        EventInfo made => made.AddMethod!.IsPublic,
        MethodBase method => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly,
        _ => false,
    };

    // What the compiler adds to records, and what every type has.
    private static bool IsOfRecord(MemberInfo member) =>
        member.Name is "Equals" or "GetHashCode" or "ToString" or "Deconstruct" or "PrintMembers" or "EqualityContract" or "<Clone>$"
        || member is ConstructorInfo made && made.GetParameters() is [{ } copied] && copied.ParameterType == made.DeclaringType;

    private static string Modifiers(bool isStatic, bool isProtected, bool isVirtual) =>
        $"{(isProtected ? "protected " : "")}{(isStatic ? "static " : "")}{(isVirtual ? "virtual " : "")}";

    private static string Arguments(MethodInfo method) =>
        method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(NameOf))}>" : "";

    private static string Parameters(MethodBase method)
    {
        string self = method.IsDefined(typeof(ExtensionAttribute)) ? "this " : "";
        return self + string.Join(", ", method.GetParameters().Select(static parameter =>
            $"{Direction(parameter)}{NameOf(parameter.ParameterType)}{Mark(parameter)} {parameter.Name}{Default(parameter)}"));
    }

    private static string Mark(ParameterInfo parameter) =>
        IsMarked(parameter.ParameterType) ? Mark(s_nullability.Create(parameter)) : "";

    private static string Mark(PropertyInfo property) =>
        IsMarked(property.PropertyType) ? Mark(s_nullability.Create(property)) : "";

    // Of a value type the question mark is part of its name. A parameter of any type counts as nullable, with or without a mark.
    private static bool IsMarked(Type type) => !type.IsValueType && (!type.IsGenericParameter || type.BaseType != typeof(object)
        || type.GenericParameterAttributes.HasFlag(GenericParameterAttributes.ReferenceTypeConstraint));

    private static string Mark(NullabilityInfo info) =>
        info.ReadState == NullabilityState.Nullable || info.WriteState == NullabilityState.Nullable ? "?" : "";

    private static string Direction(ParameterInfo parameter) =>
        !parameter.ParameterType.IsByRef ? "" : parameter.IsOut ? "out " : parameter.IsIn ? "in " : "ref ";

    private static string Modifiers(MethodInfo method)
    {
        bool isVirtual = method is { IsVirtual: true, IsFinal: false } && !method.DeclaringType!.IsInterface;
        return Modifiers(method.IsStatic, method.IsFamily || method.IsFamilyOrAssembly, isVirtual);
    }

    private static string Default(ParameterInfo parameter)
    {
        if (!parameter.HasDefaultValue)
        {
            return "";
        }

        Type type = parameter.ParameterType;
        return parameter.DefaultValue is { } value
            ? $" = {Literal(type.IsEnum ? Enum.ToObject(type, value) : value)}"
            : $" = {(type.IsValueType ? "default" : "null")}";
    }

    private static string Literal(object? value) => value switch
    {
        string text => $"\"{text}\"",
        bool flag => flag ? "true" : "false",
        Enum name => $"{name.GetType().Name}.{name}",
        null => "null",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };
}
