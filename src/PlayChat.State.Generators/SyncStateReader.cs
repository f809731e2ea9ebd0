using System.Globalization;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PlayChat.Generators;

/// <summary>Reads classes with [SyncState] and their fields with [Sync].</summary>
internal static class SyncStateReader
{
    public const string State = "PlayChat.State.SyncStateAttribute";
    public const string Sync = "PlayChat.State.SyncAttribute";
    public const string Package = "global::PlayChat.State."; // in generated code

    private const int MaxFields = 63;

    public static SyncStateModel Read(GeneratorAttributeSyntaxContext context, CancellationToken cancellationToken)
    {
        var type = (INamedTypeSymbol)context.TargetSymbol;
        var problems = new List<Problem>();
        var fields = new List<SyncFieldModel>();
        var removed = new HashSet<int>(context.Attributes[0].NamedArguments
            .Where(static argument => argument.Key == "Removed" && !argument.Value.IsNull)
            .SelectMany(static argument => argument.Value.Values)
            .Select(static value => value.Value)
            .OfType<int>());
        foreach (IFieldSymbol field in type.GetMembers().OfType<IFieldSymbol>())
        {
            AttributeData? sync = field.All(Sync).FirstOrDefault();
            if (sync is null)
            {
                continue;
            }

            cancellationToken.ThrowIfCancellationRequested();
            Place place = Place.Of(field);
            string? problem = Read(field, sync, out SyncFieldModel? model);
            if (model is null)
            {
                problems.Add(new Problem(StateRules.BadField, place, field.Name, problem!));
                continue;
            }

            string? taken = fields.Find(other => other.Number == model.Number) is { } first ? $"'{first.Field}' has it"
                : removed.Contains(model.Number) ? "a field that was removed had it, and old clients would read this one as that"
                : model.Number is < 1 or > ushort.MaxValue ? "a number is from 1 to 65,535"
                : null;
            if (taken is not null)
            {
                problems.Add(new Problem(
                    StateRules.BadNumber, place, field.Name, model.Number.ToString(CultureInfo.InvariantCulture), taken));
            }

            fields.Add(model);
        }

        if (FindProblem(type, fields.Count) is { } wrong)
        {
            problems.Add(new Problem(StateRules.BadClass, Place.Of(type), type.Name, wrong));
        }

        return new SyncStateModel(
            type.ContainingNamespace.IsGlobalNamespace ? "" : type.ContainingNamespace.ToDisplayString(),
            type.Name,
            type.BaseType is { SpecialType: not SpecialType.System_Object },
            new EquatableArray<SyncFieldModel>([.. fields.OrderBy(static field => field.Number)]),
            new EquatableArray<Problem>([.. problems]));
    }

    private static string? FindProblem(INamedTypeSymbol type, int fields) =>
        type.ContainingType is not null ? "it is inside another type; put it into a namespace"
        : type.IsGenericType || type.IsStatic || type.IsAbstract || type.IsRecord ? "make it a plain class without type parameters"
        : !type.HasModifier("partial") ? "declare it partial"
        : type.BaseType is { SpecialType: not SpecialType.System_Object } ancestor && !ancestor.Is("PlayChat.State.SyncObject")
            ? $"it derives from '{ancestor.Name}'; a state derives from nothing"
        : !type.InstanceConstructors.Any(static constructor =>
            constructor.Parameters.IsEmpty && constructor.DeclaredAccessibility is Accessibility.Public or Accessibility.Internal)
            ? "clients make it, so it needs a public or internal constructor without parameters"
        : fields > MaxFields ? $"it has {fields} fields; at most {MaxFields} are possible. Put some into an object of their own"
        : null;

    private static string? Read(IFieldSymbol field, AttributeData sync, out SyncFieldModel? model)
    {
        model = null;
        var options = sync.NamedArguments.ToDictionary(
            static argument => argument.Key, static argument => argument.Value.Value, StringComparer.Ordinal);
        string property = SyncFieldModel.PropertyOf(field);
        string declared = field.Type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat.AddMiscellaneousOptions(
            SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier));
        bool isNullable = declared.EndsWith("?", StringComparison.Ordinal);
        bool isViewed = options.TryGetValue("Viewed", out object? viewed) && viewed is true;
        var type = field.Type as INamedTypeSymbol;
        bool isMap = type?.Is("PlayChat.State.SyncMap`2") == true;
        string collection = isMap ? "Map" : type?.Is("PlayChat.State.SyncList`1") == true ? "List" : "";
        bool isValue = collection.Length == 0;
        ITypeSymbol valueType = isValue ? field.Type : type!.TypeArguments[isMap ? 1 : 0];
        SyncForm? form = FormOf(valueType);
        SyncForm? key = isMap ? FormOf(type!.TypeArguments[0]) : null;
        string? problem =
            field.IsStatic || field.DeclaredAccessibility != Accessibility.Private || property.Length == 0 || property == field.Name
                ? "it must be a private field of an object, with a name that begins with _ or in lower case"
            : isValue && field.IsReadOnly ? "it is readonly"
            : !isValue && (!field.IsReadOnly || !HasInitializer(field)) ? "make it readonly, and give it an initial value: = new()"
            : isMap && key?.Kind is not ("Byte" or "Signed" or "Unsigned" or "Text")
                ? "the keys of a map are integers, members of an enum, or strings"
            : form is null
                ? $"'{valueType.Display()}' is no number, bool, enum, string, list or map, and no class with [SyncState]"
            : isMap && isViewed && form.Kind != "Object" ? "a viewed map contains objects"
            : isValue && form.Kind == "Object" && !isNullable ? "an object may be missing at a client: declare the field nullable"
            : Quantize(ref form, options);
        if (problem is not null)
        {
            return problem;
        }

        bool isPublic = IsPublic(field.Type) && IsPublic(valueType) && (key is null || IsPublic(type!.TypeArguments[0]));
        model = new SyncFieldModel(
            sync.ConstructorArguments.FirstOrDefault().Value as int? ?? 0,
            field.Name,
            property,
            $"{(isPublic ? "public" : "internal")} {declared}",
            collection,
            (isViewed ? ", IsViewed: true" : "") + (isNullable ? ", IsNullable: true" : ""),
            isNullable && form!.Kind == "Text" ? form with { Read = "value.Text" } : form!,
            key);
        return null;
    }

    private static bool IsPublic(ITypeSymbol type) => type.DeclaredAccessibility == Accessibility.Public;

    private static bool HasInitializer(IFieldSymbol field) => field.DeclaringSyntaxReferences.Any(
        static reference => reference.GetSyntax() is VariableDeclaratorSyntax { Initializer: not null });

    /// <summary>Returns how values of a type are written; <see langword="null"/> if there is no form for them.</summary>
    private static SyncForm? FormOf(ITypeSymbol type)
    {
        string name = type.Written();
        SpecialType special = type is INamedTypeSymbol { EnumUnderlyingType: { } underlying } ? underlying.SpecialType : type.SpecialType;
        string isWide = special is SpecialType.System_Int64 or SpecialType.System_UInt64 ? ", isWide: true" : "";
        return special switch
        {
            SpecialType.System_Boolean => Form("Boolean", "WriteByte({value} ? (byte)1 : (byte)0)", "value.Int64 != 0"),
            SpecialType.System_Byte => Form("Byte", "WriteByte((byte){value})", $"({name})value.Int64"),
            SpecialType.System_SByte or SpecialType.System_Int16 or SpecialType.System_Int32 or SpecialType.System_Int64 =>
                Form("Signed", "WriteSigned((long){value})", $"({name})value.Int64"),
            SpecialType.System_Char or SpecialType.System_UInt16 or SpecialType.System_UInt32 or SpecialType.System_UInt64 =>
                Form("Unsigned", "WriteUnsigned((ulong){value})", $"({name})(ulong)value.Int64"),
            SpecialType.System_Single => Form("Float", "WriteFloat({value})", "(float)value.Double"),
            SpecialType.System_Double => Form("Double", "WriteDouble({value})", "value.Double"),
            SpecialType.System_String => Form("Text", "WriteText({value})", "value.Text ?? \"\""),
            _ when type.Has(State) => Form("Object", "WriteObject({value})", $"({name})value.Object!") with
            {
                Spec = $"{Package}SyncSpec.Object(static () => new {name}())",
            },
            _ => null,
        };

        SyncForm Form(string kind, string write, string read) =>
            new(kind, name, $"{Package}SyncSpec.Of({Package}SyncKind.{kind}{isWide})", write, read);
    }

    /// <summary>Makes a form quantized, if the options ask for it.</summary>
    /// <returns>What is wrong with the options.</returns>
    private static string? Quantize(ref SyncForm? form, Dictionary<string, object?> options)
    {
        double Option(string name) =>
            options.TryGetValue(name, out object? value) ? Convert.ToDouble(value, CultureInfo.InvariantCulture) : 0;

        bool hasBits = options.ContainsKey("Bits");
        if (!hasBits && !options.ContainsKey("Decimals"))
        {
            return null;
        }

        string kind = hasBits ? "Range" : "Fixed";
        (double min, double max, double bits, double decimals) = (Option("Min"), Option("Max"), Option("Bits"), Option("Decimals"));
        string range = string.Format(CultureInfo.InvariantCulture, "{0:R}D, {1:R}D, {2}", min, max, bits);
        string? problem = form!.Kind is not ("Float" or "Double") ? "Decimals and Bits are for float and double"
            : hasBits && (bits is < 1 or > 32 || !(min < max) || double.IsInfinity(max - min) || options.ContainsKey("Decimals"))
                ? "give Min, a higher Max, and 1 to 32 Bits, without Decimals"
            : decimals is < 0 or > 9 ? "Decimals is from 0 to 9"
            : null;
        form = form with
        {
            Kind = kind,
            Spec = $"{Package}SyncSpec.{kind}({(hasBits ? range : decimals)})",
            Write = $"Write{kind}(form, {{value}}, {{value}}Steps, {{value}}Change)",
            Steps = $"{Package}SyncSpec.StepsOf({{value}}, {(hasBits ? range : "1e" + decimals)})",
        };
        return problem;
    }
}
