using System.Text;

namespace PlayChat.State;

/// <summary>Describes the classes of a state for clients in other languages.</summary>
public static class StateTypes
{
    /// <summary>
    /// Returns the class of an object, and those of all objects in it, as TypeScript interfaces for pages that use
    /// <c>@playchat/state</c>: a module with one <c>export interface</c> for each class, with LF at the ends of lines. Thread-safe.
    /// </summary>
    /// <param name="root">An object of the root's class, such as a new one. Only its class matters.</param>
    public static string WriteTypeScript(SyncObject root)
    {
        _ = root ?? throw new ArgumentNullException(nameof(root));
        return WriteTypeScript(root.SyncType.WithNested(), "Generated from the classes of the state. Do not edit.");
    }

    /// <summary>Does it for classes that were read from an assembly.</summary>
    internal static string WriteTypeScript(IEnumerable<SyncType> types, string header)
    {
        var text = new StringBuilder($"// {header}\n");
        foreach (SyncType type in types)
        {
            text.Append("\nexport interface ").Append(type.Name).Append(" {\n");
            foreach (SyncField field in type.Fields)
            {
                bool canBeNull = field.Spec.Kind is SyncKind.Text or SyncKind.Object && (field.IsNullable || field.IsViewed);
                text.Append("    readonly ").Append(field.WireName).Append(": ").Append(NameOf(field.Spec));
                text.Append(canBeNull ? " | null;\n" : ";\n");
            }

            text.Append("}\n");
        }

        return text.ToString();
    }

    private static string NameOf(SyncSpec spec) => spec.Kind switch
    {
        SyncKind.Boolean => "boolean",
        SyncKind.Text => "string",
        SyncKind.Object => spec.Type.Name,
        SyncKind.List when spec.Item!.IsWide => $"readonly ({NameOf(spec.Item)})[]",
        SyncKind.List => $"readonly {NameOf(spec.Item)}[]",
        SyncKind.Map => $"ReadonlyMap<{NameOf(spec.Key!)}, {NameOf(spec.Item!)}>",
        _ => spec.IsWide ? "number | bigint" : "number", // bigint beyond Number.MAX_SAFE_INTEGER
    };
}
