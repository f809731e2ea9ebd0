using System.Reflection;

namespace PlayChat.Core.Tests.Architecture;

public sealed class ArchitectureTests
{
    private const string Root = "PlayChat.Core";

    // From the bottom up: a folder may name what stands before it.
    private static readonly string[][] s_layers =
    [
        ["", "Buffers"],
        ["Diagnostics"],
        ["Framing", "Transport"],
        ["Packets"],
        ["Connections"],
        ["Sessions"],
        ["Rooms"],
        ["Dispatch"],
        ["Hosting"],
    ];

    private static readonly Assembly s_core = typeof(CloseReason).Assembly;

    [Fact]
    public void Core_knows_no_log_sink_no_database_and_no_message_format()
    {
        string[] forbidden = ["Serilog", "SqlClient", "Sqlite", "Npgsql", "Dapper", "Protobuf"];

        string[] references = [.. s_core.GetReferencedAssemblies().Select(static name => name.Name!)];

        Assert.DoesNotContain(references, reference => forbidden.Any(name => reference.Contains(name, StringComparison.OrdinalIgnoreCase)));
        Assert.All(references, static reference => Assert.True(
            reference.StartsWith("System.", StringComparison.Ordinal)
                || reference.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal)
                || reference == "netstandard",
            $"Core may not reference {reference}."));
    }

    [Fact]
    public void A_folder_never_names_a_type_from_further_up()
    {
        SortedSet<string> upward = [];
        foreach (Type type in s_core.GetTypes().Where(static type => LayerOf(type) >= 0))
        {
            foreach (Type used in UsedBy(type).SelectMany(Parts).Where(static used => LayerOf(used) >= 0))
            {
                bool sideways = LayerOf(used) == LayerOf(type) && FolderOf(used) != FolderOf(type) && FolderOf(used).Length > 0;
                if (LayerOf(used) > LayerOf(type) || sideways)
                {
                    upward.Add($"{type.FullName} uses {used.FullName}");
                }
            }
        }

        Assert.Empty(upward);
    }

    [Fact]
    public void Every_folder_of_Core_has_its_place_in_the_order()
    {
        IEnumerable<string> folders = s_core.GetTypes()
            .Where(static type => type.Namespace?.StartsWith(Root, StringComparison.Ordinal) == true)
            .Select(FolderOf)
            .Distinct(StringComparer.Ordinal);

        Assert.All(folders, folder => Assert.Contains(folder, s_layers.SelectMany(static layer => layer), StringComparer.Ordinal));
    }

    private static string FolderOf(Type type) =>
        type.Namespace is { } name && name.Length > Root.Length ? name[(Root.Length + 1)..].Split('.')[0] : "";

    private static int LayerOf(Type type) =>
        type.Assembly == s_core && type.Namespace?.StartsWith(Root, StringComparison.Ordinal) == true
            ? Array.FindIndex(s_layers, layer => layer.Contains(FolderOf(type), StringComparer.Ordinal))
            : -1;

    private static IEnumerable<Type> UsedBy(Type type)
    {
        const BindingFlags All =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
        if (type.BaseType is { } baseType)
        {
            yield return baseType;
        }

        foreach (Type implemented in type.GetInterfaces())
        {
            yield return implemented;
        }

        foreach (FieldInfo field in type.GetFields(All))
        {
            yield return field.FieldType;
        }

        foreach (MethodBase method in type.GetMethods(All).Cast<MethodBase>().Concat(type.GetConstructors(All)))
        {
            if (method is MethodInfo { ReturnType: var returned })
            {
                yield return returned;
            }

            foreach (ParameterInfo parameter in method.GetParameters())
            {
                yield return parameter.ParameterType;
            }

            foreach (LocalVariableInfo local in method.GetMethodBody()?.LocalVariables ?? [])
            {
                yield return local.LocalType;
            }
        }
    }

    private static IEnumerable<Type> Parts(Type type)
    {
        if (type.HasElementType)
        {
            return Parts(type.GetElementType()!);
        }

        return type.IsGenericType && !type.IsGenericTypeDefinition
            ? type.GetGenericArguments().SelectMany(Parts).Prepend(type.GetGenericTypeDefinition())
            : [type];
    }
}
