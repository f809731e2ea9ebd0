using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace PlayChat.Pack;

/// <summary>The types of an assembly that its users see, and their members, by the names that XML documentation has for them.</summary>
internal static class PublicNames
{
    /// <summary>Reads the names, such as "A.B" for a type and "A.B.#ctor" for its constructors. Overloads share a name.</summary>
    internal static HashSet<string> Read(Stream assembly)
    {
        using var image = new PEReader(assembly, PEStreamOptions.PrefetchEntireImage | PEStreamOptions.LeaveOpen);
        MetadataReader reader = image.GetMetadataReader();
        HashSet<string> names = new(StringComparer.Ordinal);
        foreach (TypeDefinitionHandle handle in reader.TypeDefinitions)
        {
            TypeDefinition type = reader.GetTypeDefinition(handle);
            if (NameOf(reader, type) is not { } name)
            {
                continue;
            }

            names.Add(name);
            names.UnionWith(MembersOf(reader, type).Select(member => $"{name}.{member.Replace('.', '#')}"));
        }

        return names;
    }

    /// <summary>The full name of a type that users see; <see langword="null"/> for another.</summary>
    private static string? NameOf(MetadataReader reader, TypeDefinition type)
    {
        string name = reader.GetString(type.Name);
        switch (type.Attributes & TypeAttributes.VisibilityMask)
        {
            case TypeAttributes.Public:
                string space = reader.GetString(type.Namespace);
                return space.Length == 0 ? name : $"{space}.{name}";
            case TypeAttributes.NestedPublic or TypeAttributes.NestedFamily or TypeAttributes.NestedFamORAssem:
                return NameOf(reader, reader.GetTypeDefinition(type.GetDeclaringType())) is { } outer ? $"{outer}.{name}" : null;
            default:
                return null;
        }
    }

    private static IEnumerable<string> MembersOf(MetadataReader reader, TypeDefinition type)
    {
        foreach (MethodDefinitionHandle method in type.GetMethods())
        {
            if (IsSeen(reader, method))
            {
                yield return reader.GetString(reader.GetMethodDefinition(method).Name);
            }
        }

        foreach (FieldDefinition field in type.GetFields().Select(reader.GetFieldDefinition))
        {
            if ((field.Attributes & FieldAttributes.FieldAccessMask)
                is FieldAttributes.Public or FieldAttributes.Family or FieldAttributes.FamORAssem)
            {
                yield return reader.GetString(field.Name);
            }
        }

        foreach (PropertyDefinition property in type.GetProperties().Select(reader.GetPropertyDefinition))
        {
            PropertyAccessors accessors = property.GetAccessors();
            if (IsSeen(reader, accessors.Getter) || IsSeen(reader, accessors.Setter))
            {
                yield return reader.GetString(property.Name);
            }
        }

        foreach (EventDefinition evented in type.GetEvents().Select(reader.GetEventDefinition))
        {
            if (IsSeen(reader, evented.GetAccessors().Adder))
            {
                yield return reader.GetString(evented.Name);
            }
        }
    }

    private static bool IsSeen(MetadataReader reader, MethodDefinitionHandle method) =>
        !method.IsNil && (reader.GetMethodDefinition(method).Attributes & MethodAttributes.MemberAccessMask)
            is MethodAttributes.Public or MethodAttributes.Family or MethodAttributes.FamORAssem;
}
