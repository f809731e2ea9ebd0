using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace PlayChat.TestUtilities.Architecture;

/// <summary>An assembly's public surface as text: one line a type or member, sorted.</summary>
internal static class PublicApi
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    internal static IEnumerable<string> Describe(Assembly assembly) =>
        assembly.GetExportedTypes().SelectMany(Describe).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal);

    private static IEnumerable<string> Describe(Type type)
    {
        string name = NameOf(type);
        yield return $"{name} : {KindOf(type)}{Bases(type)}";
        if (typeof(Delegate).IsAssignableFrom(type))
        {
            MethodInfo invoke = type.GetMethod("Invoke")!;
            yield return $"{name}.Invoke({Parameters(invoke)}) : {NameOf(invoke.ReturnType)}";
            yield break;
        }

        foreach (FieldInfo field in type.GetFields(Declared)
            .Where(static field => (field.IsPublic || field.IsFamily) && !field.IsSpecialName))
        {
            yield return field.IsLiteral && type.IsEnum
                ? $"{name}.{field.Name} = {Convert.ToInt64(field.GetRawConstantValue(), CultureInfo.InvariantCulture)}"
                : $"{name}.{field.Name} : {NameOf(field.FieldType)}";
        }

        foreach (ConstructorInfo constructor in type.GetConstructors(Declared).Where(static c => IsVisible(c)))
        {
            yield return $"{name}.new({Parameters(constructor)})";
        }

        foreach (PropertyInfo property in type.GetProperties(Declared))
        {
            string[] accessors =
            [
                .. property.GetAccessors(nonPublic: true)
                    .Where(static accessor => IsVisible(accessor))
                    .Select(accessor => accessor == property.GetMethod ? "get" : SetterOf(accessor)),
            ];
            if (accessors.Length > 0)
            {
                yield return $"{name}.{property.Name} {{ {string.Join("; ", accessors)} }} : {NameOf(property.PropertyType)}";
            }
        }

        foreach (MethodInfo method in type.GetMethods(Declared).Where(static m => IsVisible(m) && !m.IsSpecialName && !IsGenerated(m)))
        {
            string generic = method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(NameOf))}>" : "";
            string modifier = method.IsStatic ? "static " : method.IsFamily ? "protected " : "";
            yield return $"{name}.{modifier}{method.Name}{generic}({Parameters(method)}) : {NameOf(method.ReturnType)}";
        }
    }

    private static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static bool IsGenerated(MethodInfo method) => method.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false);

    private static string SetterOf(MethodInfo setter) =>
        setter.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) ? "init" : "set";

    private static string KindOf(Type type) =>
        type.IsEnum ? "enum"
        : type.IsInterface ? "interface"
        : typeof(Delegate).IsAssignableFrom(type) ? "delegate"
        : type.IsValueType ? "struct"
        : type is { IsAbstract: true, IsSealed: true } ? "static class"
        : type.IsAbstract ? "abstract class"
        : type.IsSealed ? "sealed class"
        : "class";

    private static string Bases(Type type)
    {
        IEnumerable<Type> bases = type.GetInterfaces().Where(static i => i.IsPublic);
        Type[] implied = [typeof(object), typeof(ValueType), typeof(Enum), typeof(MulticastDelegate)];
        if (type.BaseType is { IsPublic: true } parent && !implied.Contains(parent))
        {
            bases = bases.Prepend(parent);
        }

        return type.IsEnum || typeof(Delegate).IsAssignableFrom(type) || !bases.Any()
            ? ""
            : ", " + string.Join(", ", bases.Select(NameOf).Order(StringComparer.Ordinal));
    }

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(Describe));

    private static string Describe(ParameterInfo parameter)
    {
        string kind = !parameter.ParameterType.IsByRef ? "" : parameter.IsOut ? "out " : parameter.IsIn ? "in " : "ref ";
        string standard = parameter.HasDefaultValue ? " = " + (parameter.RawDefaultValue ?? "default") : "";
        return $"{kind}{NameOf(parameter.ParameterType)} {parameter.Name}{standard}";
    }

    private static string NameOf(Type type)
    {
        if (type.HasElementType)
        {
            return NameOf(type.GetElementType()!) + (type.IsArray ? "[]" : "");
        }

        if (type.IsGenericParameter)
        {
            return type.Name;
        }

        string name = type.Namespace?.StartsWith("PlayChat.", StringComparison.Ordinal) == true
            ? type.FullName ?? $"{type.Namespace}.{type.Name}"
            : type.Name;
        int arity = name.IndexOf('`', StringComparison.Ordinal);
        return arity < 0 ? name : $"{name[..arity]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>";
    }
}
