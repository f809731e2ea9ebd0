using System.Globalization;
using System.Reflection;
using System.Text.Json.Serialization;

namespace PlayChat.Tool;

/// <summary>Reads how System.Text.Json writes types, by the rules of a source-generated context.</summary>
internal sealed class ShapeReader(JsonRules rules)
{
    private const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private readonly Dictionary<string, Definition> _byKey = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Type> _names = new(StringComparer.Ordinal);

    // The message and the members that lead to what is being read, for errors.
    private readonly Stack<string> _path = [];

    public IEnumerable<Definition> Definitions => _byKey.Values;

    /// <summary>Reads a message.</summary>
    /// <exception cref="ContractException">Something in it has no form in TypeScript.</exception>
    public Definition ReadMessage(Type message)
    {
        _path.Clear();
        _path.Push(message.Name);
        Shape shape = Read(Annotated.Of(message) with { CanBeNull = false }, rules.Numbers);
        if (shape is Definition definition)
        {
            return definition;
        }

        // A list or a dictionary. Members that have it refer to its shape.
        var alias = new AliasType(message.Name, shape);
        Name(message.Name, message);
        _byKey.Add("alias " + message.FullName, alias);
        return alias;
    }

    private Shape Read(Annotated type, JsonNumberHandling numbers)
    {
        Shape shape = ReadValue(type, numbers);
        return type.CanBeNull && shape is not Scalar { Kind: ScalarKind.Any } ? new OrNull(shape) : shape;
    }

    private Shape ReadValue(Annotated type, JsonNumberHandling numbers)
    {
        if (ScalarOf(type, numbers) is { } scalar)
        {
            return scalar;
        }

        if (type.Type.IsEnum)
        {
            return Define(type, () => ReadEnum(type.Type, converter: null));
        }

        if (type.Type.Find(Attributes.Json + "JsonConverterAttribute") is not null)
        {
            throw Unsupported(type, "has a converter of its own, whose JSON cannot be read from the assembly");
        }

        if ((type.ArgumentsOf("System.Collections.Generic.IDictionary`2")
            ?? type.ArgumentsOf("System.Collections.Generic.IReadOnlyDictionary`2")) is { } entry)
        {
            Scalar? key = ScalarOf(entry[0], JsonNumberHandling.Strict);
            bool isKey = entry[0].Type.IsEnum || key is { Kind: not ScalarKind.Any, Note: not "Base64" };
            return isKey ? new MapOf(Read(entry[1], numbers)) : throw Unsupported(type, "has keys that JSON cannot have as names");
        }

        if (type.Type.IsArray)
        {
            return type.Type.GetArrayRank() == 1
                ? new ListOf(Read(type.Arguments[0], numbers))
                : throw Unsupported(type, "is an array of several dimensions");
        }

        if (type.ArgumentsOf("System.Collections.Generic.IEnumerable`1") is { } items)
        {
            return new ListOf(Read(items[0], numbers));
        }

        if (type.Type is { IsInterface: true } or { IsPointer: true } || IsFramework(type.Type))
        {
            throw Unsupported(type, "has no form that is known");
        }

        return type.Type.All(Attributes.Json + "JsonDerivedTypeAttribute").Any() ? ReadUnion(type) : ReadObject(type);
    }

    private static bool IsFramework(Type type) =>
        type.Namespace?.Split('.')[0] is "System" or "Microsoft" || type.BaseType?.FullName == "System.MulticastDelegate";

    private static Scalar? ScalarOf(Annotated type, JsonNumberHandling numbers)
    {
        bool isBytes = type.Arguments is [{ Type.FullName: "System.Byte" }]
            && (type.Type.IsArray || type.Type.Name is "ReadOnlyMemory`1" or "Memory`1");
        if (isBytes)
        {
            return new Scalar(ScalarKind.Text, "Base64", "byte");
        }

        Scalar? scalar = type.Type.FullName switch
        {
            "System.String" or "System.Char" => new Scalar(ScalarKind.Text),
            "System.Boolean" => new Scalar(ScalarKind.Boolean),
            "System.Byte" or "System.SByte" or "System.Int16" or "System.UInt16" or "System.Int32" or "System.UInt32" =>
                new Scalar(ScalarKind.Integer),
            "System.Int64" or "System.UInt64" or "System.Int128" or "System.UInt128" => new Scalar(ScalarKind.Long),
            "System.Single" or "System.Double" or "System.Half" => new Scalar(
                numbers.HasFlag(JsonNumberHandling.AllowNamedFloatingPointLiterals) ? ScalarKind.NamedNumber : ScalarKind.Number),
            "System.Decimal" => new Scalar(ScalarKind.Decimal, "A decimal; a number of JavaScript has 15 digits"),
            "System.DateTime" or "System.DateTimeOffset" =>
                new Scalar(ScalarKind.Text, "A time, such as 2026-01-31T12:00:00Z", "date-time"),
            "System.DateOnly" => new Scalar(ScalarKind.Text, "A day, such as 2026-01-31", "date"),
            "System.TimeOnly" => new Scalar(ScalarKind.Text, "A time of day, such as 12:30:00"),
            "System.TimeSpan" => new Scalar(ScalarKind.Text, "A duration: [-][days.]hours:minutes:seconds[.fraction]"),
            "System.Guid" => new Scalar(ScalarKind.Text, "A UUID", "uuid"),
            "System.Uri" => new Scalar(ScalarKind.Text, "An address"),
            "System.Version" => new Scalar(ScalarKind.Text, "A version"),
            "System.Object" or "System.Text.Json.JsonElement" or "System.Text.Json.JsonDocument" or "System.Text.Json.Nodes.JsonNode"
                or "System.Text.Json.Nodes.JsonObject" or "System.Text.Json.Nodes.JsonArray" => new Scalar(ScalarKind.Any),
            _ => null,
        };
        bool isNumber = scalar?.Kind is ScalarKind.Integer or ScalarKind.Long or ScalarKind.Decimal or ScalarKind.Number
            or ScalarKind.NamedNumber;
        return isNumber && numbers.HasFlag(JsonNumberHandling.WriteAsString) ? new Scalar(ScalarKind.Text, "A number") : scalar;
    }

    private Definition Define(Annotated type, Func<Definition> read)
    {
        string key = (type with { CanBeNull = false }).Key;
        if (!_byKey.TryGetValue(key, out Definition? definition))
        {
            definition = read();
            _byKey.Add(key, definition);
        }

        return definition;
    }

    private EnumType ReadEnum(Type type, Type? converter)
    {
        bool isText = JsonRules.EnumTextOf(converter)
            ?? (rules.EnumsAreText || rules.TextEnums.Contains(type.FullName!) ? true : (bool?)null)
            ?? JsonRules.EnumTextOf(ConverterOf(type))
            ?? false;
        return new EnumType(
            Name(type.Name, type),
            isText,
            type.Find("System.FlagsAttribute") is not null,
            [.. type.GetFields(BindingFlags.Static | BindingFlags.Public).Select(field => (
                field.Find(Attributes.Json + "JsonStringEnumMemberNameAttribute")?.Argument<string>(0) ?? field.Name,
                Convert.ToInt64(field.GetRawConstantValue(), CultureInfo.InvariantCulture)))]);
    }

    private static Type? ConverterOf(MemberInfo member) => member.Find(Attributes.Json + "JsonConverterAttribute")?.Argument<Type>(0);

    private Definition ReadUnion(Annotated type)
    {
        string key = (type with { CanBeNull = false }).Key;
        if (_byKey.TryGetValue(key, out Definition? known))
        {
            return known;
        }

        var union = new UnionType(Name(type.Type.Name, type.Type));
        _byKey.Add(key, union);
        CustomAttributeData? polymorphic = type.Type.Find(Attributes.Json + "JsonPolymorphicAttribute");
        union.Discriminator = polymorphic?.Named<string>("TypeDiscriminatorPropertyName") ?? union.Discriminator;
        foreach (CustomAttributeData kind in type.Type.All(Attributes.Json + "JsonDerivedTypeAttribute"))
        {
            Type derived = kind.Argument<Type>(0)!;
            union.Kinds.Add((kind.Argument<object>(1), KindOf(Annotated.Of(derived) with { CanBeNull = false })));
        }

        bool isNamed = union.Kinds.Exists(kind => kind.Type == _byKey.GetValueOrDefault("kind " + key));
        if (!type.Type.IsAbstract && !isNamed)
        {
            union.Kinds.Add((null, KindOf(type)));
        }

        return union;
    }

    // As a kind, a class has its own members alone, also where it is the base of the others.
    private ObjectType KindOf(Annotated type) => type.Type.All(Attributes.Json + "JsonDerivedTypeAttribute").Any()
        ? ReadObject(type, "kind ", "Base")
        : ReadObject(type);

    private ObjectType ReadObject(Annotated type, string prefix = "", string suffix = "")
    {
        string key = prefix + (type with { CanBeNull = false }).Key;
        if (_byKey.TryGetValue(key, out Definition? known))
        {
            return (ObjectType)known;
        }

        var result = new ObjectType(Name(NameOf(type) + suffix, type.Type));
        _byKey.Add(key, result);
        foreach ((MemberInfo member, Annotated owner) in MembersOf(type))
        {
            _path.Push(member.Name);
            AddMember(result, member, owner);
            _path.Pop();
        }

        return result;
    }

    /// <summary>Properties and fields of the bases first; one that is declared again takes the place of the base's.</summary>
    private static List<(MemberInfo Member, Annotated Owner)> MembersOf(Annotated type)
    {
        var chain = new Stack<Annotated>();
        for (Annotated? owner = type; owner is not null && owner.Type.FullName is not ("System.Object" or "System.ValueType");)
        {
            chain.Push(owner);
            Type definition = DefinitionOf(owner.Type);
            owner = definition.BaseType is { } parent ? Annotated.Of(parent, definition, owner.Arguments) : null;
        }

        var members = new List<(MemberInfo Member, Annotated Owner)>();
        foreach (Annotated owner in chain)
        {
            IEnumerable<MemberInfo> declared = DefinitionOf(owner.Type).GetMembers(Declared)
                .Where(static member => member is PropertyInfo or FieldInfo).OrderBy(static member => member.MetadataToken);
            foreach (MemberInfo member in declared)
            {
                int place = members.FindIndex(other => other.Member.Name == member.Name);
                if (place >= 0)
                {
                    members[place] = (member, owner);
                }
                else
                {
                    members.Add((member, owner));
                }
            }
        }

        return members;
    }

    private static Type DefinitionOf(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;

    private void AddMember(ObjectType result, MemberInfo member, Annotated owner)
    {
        var property = member as PropertyInfo;
        var field = member as FieldInfo;
        bool isIncluded = member.Find(Attributes.Json + "JsonIncludeAttribute") is not null;
        bool isVisible = property is not null ? property.GetMethod?.IsPublic == true : field!.IsPublic && rules.IncludeFields;
        CustomAttributeData? ignored = member.Find(Attributes.Json + "JsonIgnoreAttribute");
        var condition = (JsonIgnoreCondition)(ignored?.NamedArguments.Count > 0
            ? ignored.Named<int>("Condition")
            : ignored is not null ? (int)JsonIgnoreCondition.Always : (int)rules.Ignore);
        if (!(isVisible || isIncluded) || condition == JsonIgnoreCondition.Always || property?.GetIndexParameters().Length > 0)
        {
            return;
        }

        if (member.Find(Attributes.Json + "JsonExtensionDataAttribute") is not null)
        {
            result.IsOpen = true;
            return;
        }

        bool isReadOnly = property is not null && property.SetMethod is not { IsPublic: true } && !isIncluded && !IsParameter(property);
        if (isReadOnly && rules.IgnoreReadOnly)
        {
            return;
        }

        Annotated type = Annotated.Of(property?.PropertyType ?? field!.FieldType, member, owner.Arguments);
        Shape shape = ReadMemberShape(type, member, owner);
        bool isLeftOut = condition == JsonIgnoreCondition.WhenWritingDefault
            || (condition == JsonIgnoreCondition.WhenWritingNull && shape is OrNull);
        result.Members.Add(new Member(
            member.Find(Attributes.Json + "JsonPropertyNameAttribute")?.Argument<string>(0)
                ?? rules.Naming?.ConvertName(member.Name) ?? member.Name,
            isLeftOut && shape is OrNull { Value: var value } ? value : shape,
            isLeftOut || isReadOnly,
            isReadOnly ? "The server does not read it" : null));
    }

    private Shape ReadMemberShape(Annotated type, MemberInfo member, Annotated owner)
    {
        if (ConverterOf(member) is { } converter)
        {
            return type.Type.IsEnum && JsonRules.EnumTextOf(converter) is not null
                ? Nullable(type, Define(type, () => ReadEnum(type.Type, converter)))
                : throw Unsupported(type, $"has the converter {converter.Name}, whose JSON cannot be read from the assembly");
        }

        const string Handling = Attributes.Json + "JsonNumberHandlingAttribute";
        var numbers = (JsonNumberHandling)((member.Find(Handling) ?? owner.Type.Find(Handling))?.Argument<int>(0) ?? (int)rules.Numbers);
        if (numbers.HasFlag(JsonNumberHandling.WriteAsString) && !numbers.HasFlag(JsonNumberHandling.AllowReadingFromString))
        {
            throw new ContractException($"{Path}: numbers are written as strings, but not read as such. Add AllowReadingFromString.");
        }

        return Read(type, numbers);
    }

    private static Shape Nullable(Annotated type, Shape shape) => type.CanBeNull ? new OrNull(shape) : shape;

    private static bool IsParameter(PropertyInfo property) => property.DeclaringType!.GetConstructors(Declared).Any(
        constructor => Array.Exists(
            constructor.GetParameters(), parameter => string.Equals(parameter.Name, property.Name, StringComparison.OrdinalIgnoreCase)));

    private static string NameOf(Annotated type)
    {
        string name = type.Type.Name.Split('`')[0];
        return type.Type.IsArray ? NameOf(type.Arguments[0]) + "Array"
            : type.Arguments.Count == 0 ? name
            : name + "Of" + string.Join("And", type.Arguments.Select(
                static argument => (argument.CanBeNull ? "Nullable" : "") + NameOf(argument)));
    }

    /// <summary>Gives a type a name that no other one has.</summary>
    private string Name(string name, Type type)
    {
        string unique = _names.ContainsKey(name) && type.DeclaringType is { } outer ? outer.Name + name : name;
        if (!_names.TryAdd(unique, type))
        {
            throw new ContractException(
                $"{Path}: {type.FullName} and {_names[unique].FullName} would have the same name, {unique}. Rename one.");
        }

        return TypeScript.IsReserved(unique)
            ? throw new ContractException($"{Path}: TypeScript reserves the name {unique}. Rename the C# type {type.FullName}.")
            : unique;
    }

    private string Path => string.Join('.', _path.Reverse());

    private ContractException Unsupported(Annotated type, string problem) => new(
        $"{Path}: the type {type.Display} {problem}. Give the property a type that TypeScript can have (a record of your own, a list, a "
            + "string), or mark it with [JsonIgnore].");
}
