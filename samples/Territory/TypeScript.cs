using System.Reflection;
using System.Text;
using PlayChat.State;

namespace Territory;

/// <summary>Writes the classes of a state as TypeScript interfaces, for pages that use @playchat/state.</summary>
internal static class TypeScript
{
    /// <param name="root">The class of the state; those of the objects in it follow.</param>
    public static string Write(Type root)
    {
        var text = new StringBuilder("// Generated from the classes of the state. Do not edit.\n");
        List<Type> types = [root];
        for (int i = 0; i < types.Count; i++)
        {
            text.Append("\nexport interface ").Append(types[i].Name).Append(" {\n");
            foreach (FieldInfo field in types[i].GetFields(BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
                .Where(static field => field.IsDefined(typeof(SyncAttribute)))
                .OrderBy(static field => field.GetCustomAttribute<SyncAttribute>()!.Number))
            {
                bool canBeNull = new NullabilityInfoContext().Create(field).ReadState == NullabilityState.Nullable
                    || field.GetCustomAttribute<SyncAttribute>()!.Viewed;
                string name = field.Name.TrimStart('_');
                text.Append("    readonly ").Append(char.ToLowerInvariant(name[0])).Append(name, 1, name.Length - 1).Append(": ")
                    .Append(NameOf(field.FieldType, canBeNull, types)).Append(";\n");
            }

            text.Append("}\n");
        }

        return text.ToString();
    }

    private static string NameOf(Type type, bool canBeNull, List<Type> types)
    {
        Type[] arguments = type.GetGenericArguments();
        switch (Type.GetTypeCode(type))
        {
            case TypeCode.Boolean:
                return "boolean";
            case TypeCode.String:
                return canBeNull ? "string | null" : "string";
            case TypeCode.Int64 or TypeCode.UInt64:
                return "number | bigint"; // bigint beyond Number.MAX_SAFE_INTEGER
            case not TypeCode.Object:
                return "number";
            case TypeCode.Object when arguments.Length == 1:
                string item = NameOf(arguments[0], false, types);
                return item.Contains('|', StringComparison.Ordinal) ? $"readonly ({item})[]" : $"readonly {item}[]";
            case TypeCode.Object when arguments.Length == 2:
                return $"ReadonlyMap<{NameOf(arguments[0], false, types)}, {NameOf(arguments[1], false, types)}>";
            default:
                if (!types.Contains(type))
                {
                    types.Add(type);
                }

                return canBeNull ? $"{type.Name} | null" : type.Name;
        }
    }
}
