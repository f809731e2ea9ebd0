using System.Reflection;
using System.Runtime.CompilerServices;

namespace PlayChat.ApiReference;

/// <summary>The public types of all packages, with the page and the documentation of each.</summary>
/// <remarks>Type pages and the index of a namespace lie in the namespace's folder, so a link is the same on all of them.</remarks>
internal sealed class Catalog
{
    // What the protobuf compiler makes is described by the .proto files.
    private static readonly string[] s_generated = ["Google.Protobuf.IMessage", "Google.Protobuf.Reflection"];

    private readonly Dictionary<string, Type> _types = new(StringComparer.Ordinal);
    private readonly Dictionary<Assembly, XmlDocs> _docs = [];
    private readonly ILookup<Type, MethodInfo> _extensions;

    /// <param name="assemblies">Built with their documentation, in the order of the index.</param>
    public Catalog(IReadOnlyList<Assembly> assemblies)
    {
        Assemblies = assemblies;
        foreach (Assembly assembly in assemblies)
        {
            _docs[assembly] = new XmlDocs(assembly, this);
            foreach (Type type in assembly.GetExportedTypes().Where(IsDescribed))
            {
                _types[DocumentationId.Of(type)] = type;
            }
        }

        _extensions = _types.Values
            .SelectMany(static type => type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly))
            .Where(static method => method.IsDefined(typeof(ExtensionAttribute)))
            .ToLookup(static method => Extended(method.GetParameters()[0].ParameterType));
    }

    public IReadOnlyList<Assembly> Assemblies { get; }

    /// <summary>The types of a package by namespace, both in alphabetical order.</summary>
    public IEnumerable<IGrouping<string, Type>> SpacesOf(Assembly assembly) =>
        _types.Values.Where(type => type.Assembly == assembly)
            .OrderBy(static type => type.Namespace, StringComparer.Ordinal)
            .ThenBy(Signatures.NameOf, StringComparer.Ordinal)
            .GroupBy(static type => type.Namespace!, StringComparer.Ordinal);

    /// <summary>The types of a namespace, which packages may share, in alphabetical order.</summary>
    public IEnumerable<Type> TypesIn(string space) =>
        _types.Values.Where(type => type.Namespace == space).OrderBy(Signatures.NameOf, StringComparer.Ordinal);

    public IEnumerable<Type> DerivedFrom(Type type) =>
        _types.Values.Where(made => made.BaseType is { } parent && Definition(parent) == type)
            .OrderBy(Signatures.NameOf, StringComparer.Ordinal);

    public IEnumerable<MethodInfo> ExtensionsOf(Type type) =>
        _extensions[type].OrderBy(static method => method.Name, StringComparer.Ordinal);

    public MemberDocs? DocsOf(MemberInfo member) => _docs[member.Module.Assembly].Of(member);

    /// <summary>The page of a type; a generic type has the number of its parameters in the name.</summary>
    public static string PageOf(Type type) => $"{type.Namespace}/{FileOf(type)}";

    /// <summary>The name of a type as a link to its page, if it has one.</summary>
    public string LinkTo(Type type)
    {
        string name = $"`{Signatures.NameOf(type)}`";
        return LinkOf(DocumentationId.Of(Definition(type))) is { } link ? $"[{name}]({link})" : name;
    }

    /// <summary>The type of a documentation id, or <see langword="null"/> for a member and for a type of another library.</summary>
    public Type? TypeOf(string id) => _types.GetValueOrDefault(id);

    /// <summary>Where a documentation id is described, or <see langword="null"/> for what belongs to another library.</summary>
    public string? LinkOf(string id)
    {
        string name = id[2..].Split('(')[0];
        if (_types.TryGetValue($"T:{name}", out Type? type))
        {
            return $"../{PageOf(type)}";
        }

        int dot = name.LastIndexOf('.');
        if (dot < 0 || !_types.TryGetValue($"T:{name[..dot]}", out type))
        {
            return null;
        }

        string member = name[(dot + 1)..].Split('`')[0];
        string place = member == "#ctor" ? "#constructors" : type.IsEnum ? "#values"
            : Signatures.MembersOf(type).Any(found => found.Name == member) ? $"#{member.ToLowerInvariant()}"
            : ""; // not public
        return $"../{PageOf(type)}{place}";
    }

    private static string FileOf(Type type)
    {
        string name = type.IsNested ? $"{type.DeclaringType!.Name}.{type.Name}" : type.Name;
        return $"{name.Replace('`', '-')}.md";
    }

    // A method for each TRoom that is a Room extends Room.
    private static Type Extended(Type type) =>
        Definition(type.IsGenericParameter ? type.GetGenericParameterConstraints().FirstOrDefault() ?? type : type);

    private static Type Definition(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;

    private static bool IsDescribed(Type type) =>
        !type.GetInterfaces().Any(static made => s_generated.Any(name => made.FullName?.StartsWith(name, StringComparison.Ordinal) == true))
        && !type.GetFields(BindingFlags.Static | BindingFlags.Public)
            .Any(static field => field.IsDefined(typeof(Google.Protobuf.Reflection.OriginalNameAttribute)))
        && !type.Name.EndsWith("Reflection", StringComparison.Ordinal);
}
