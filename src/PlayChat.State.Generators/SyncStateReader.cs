using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PlayChat.Generators;

/// <summary>Reads classes with [SyncState] and their fields with [Sync].</summary>
internal static class SyncStateReader
{
    public const string State = "PlayChat.State.SyncStateAttribute";
    public const string Sync = "PlayChat.State.SyncAttribute";

    private const string Package = "global::PlayChat.State.";
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
        : !type.DeclaringSyntaxReferences.Any(static reference => reference.GetSyntax() is ClassDeclarationSyntax declaration
            && declaration.Modifiers.Any(static modifier => modifier.ValueText == "partial")) ? "declare it partial"
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
        var type = field.Type as INamedTypeSymbol;
        bool isList = type?.Is("PlayChat.State.SyncList`1") == true;
        bool isMap = type?.Is("PlayChat.State.SyncMap`2") == true;
        bool isViewed = options.TryGetValue("Viewed", out object? viewed) && viewed is true;
        if (field.IsStatic || field.DeclaredAccessibility != Accessibility.Private || property.Length == 0 || property == field.Name)
        {
            return "it must be a private field of an object, with a name that begins with _ or in lower case";
        }

        if (isList || isMap ? !field.IsReadOnly || !HasInitializer(field) : field.IsReadOnly)
        {
            return isList || isMap ? "make it readonly, and give it an initial value: = new()" : "it is readonly";
        }

        SyncForm? key = isMap ? FormOf(type!.TypeArguments[0], new(StringComparer.Ordinal), out _) : null;
        if (isMap && (key is null || key.IsObject || key.Writer is "Float" or "Double" or "Boolean"))
        {
            return "the keys of a map are integers, members of an enum, or strings";
        }

        ITypeSymbol valueType = isList ? type!.TypeArguments[0] : isMap ? type!.TypeArguments[1] : field.Type;
        SyncForm? form = FormOf(valueType, options, out string? problem);
        if (form is null)
        {
            return problem;
        }

        if (isViewed && isMap && !form.IsObject)
        {
            return "a viewed map contains objects";
        }

        int number = sync.ConstructorArguments.FirstOrDefault().Value as int? ?? 0;
        SyncFieldKind kind = isList ? SyncFieldKind.List
            : isMap ? SyncFieldKind.Map
            : form.IsObject ? SyncFieldKind.Object
            : form.Writer == "Text" ? SyncFieldKind.Text
            : form.Steps is not null ? SyncFieldKind.Quantized
            : SyncFieldKind.Number;
        string declared = field.Type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat.AddMiscellaneousOptions(
            SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier));
        if (kind is SyncFieldKind.Text && !declared.EndsWith("?", StringComparison.Ordinal))
        {
            form = form with { FromValue = form.FromValue + " ?? \"\"" };
        }

        if (kind is SyncFieldKind.Object && !declared.EndsWith("?", StringComparison.Ordinal))
        {
            return "an object may be missing at a client: declare the field nullable";
        }

        bool isPublic = IsPublic(field.Type) && IsPublic(valueType) && (!isMap || IsPublic(type!.TypeArguments[0]));
        string access = isPublic ? "public" : "internal";
        model = new SyncFieldModel(number, field.Name, property, $"{access} {declared}", kind, isViewed, form, key);
        return null;
    }

    private static bool IsPublic(ITypeSymbol type) => type.DeclaredAccessibility == Accessibility.Public;

    private static bool HasInitializer(IFieldSymbol field) => field.DeclaringSyntaxReferences.Any(
        static reference => reference.GetSyntax() is VariableDeclaratorSyntax { Initializer: not null });

    /// <summary>Returns how values of a type are written; <see langword="null"/> if there is no form for them.</summary>
    private static SyncForm? FormOf(ITypeSymbol type, Dictionary<string, object?> options, out string? problem)
    {
        string written = type.Written();
        problem = null;
        if (type.SpecialType is SpecialType.System_Single or SpecialType.System_Double)
        {
            return FormOfReal(written, type.SpecialType == SpecialType.System_Single ? "Float" : "Double", options, out problem);
        }

        if (options.ContainsKey("Decimals") || options.ContainsKey("Bits"))
        {
            problem = "Decimals and Bits are for float and double";
            return null;
        }

        switch (type)
        {
            case INamedTypeSymbol { TypeKind: TypeKind.Enum, EnumUnderlyingType: { } underlying }:
                return FormOfInteger(written, underlying.SpecialType);
            case { SpecialType: SpecialType.System_Boolean }:
                return new SyncForm(
                    written, Package + "SyncSpec.Boolean", "Boolean", "", $"{Package}SyncValue.Of(v ? 1UL : 0UL)", "value.Boolean");
            case { SpecialType: SpecialType.System_String }:
                return new SyncForm("string", Package + "SyncSpec.Text", "Text", "", $"{Package}SyncValue.Of((object?)v)", "value.Text");
            case INamedTypeSymbol when type.Has(State):
                return new SyncForm(
                    written,
                    $"{Package}SyncSpec.Object(static () => new {written}())",
                    "Object",
                    "",
                    $"{Package}SyncValue.Of((object?)v)",
                    $"({written}?)value.Object");
            default:
                SyncForm? integer = FormOfInteger(written, type.SpecialType);
                problem = integer is null
                    ? $"'{type.Display()}' is no number, bool, enum, string, list or map, and no class with [SyncState]"
                    : null;
                return integer;
        }
    }

    private static SyncForm? FormOfInteger(string type, SpecialType number) => number switch
    {
        SpecialType.System_Byte => SyncForm.OfNumber(type, "Byte", "Byte", "(byte)", $"({type})value.Int64"),
        SpecialType.System_SByte or SpecialType.System_Int16 or SpecialType.System_Int32 or SpecialType.System_Int64 =>
            SyncForm.OfNumber(type, "Signed", "Signed", "(long)", $"({type})value.Int64"),
        SpecialType.System_UInt16 or SpecialType.System_UInt32 or SpecialType.System_UInt64 or SpecialType.System_Char =>
            SyncForm.OfNumber(type, "Unsigned", "Unsigned", "(ulong)", $"({type})(ulong)value.Int64"),
        _ => null,
    };

    private static SyncForm? FormOfReal(string type, string kind, Dictionary<string, object?> options, out string? problem)
    {
        SyncForm exact = SyncForm.OfNumber(type, kind, kind, "", $"({type})value.Double");
        problem = null;
        if (options.TryGetValue("Bits", out object? bits) && bits is int count)
        {
            double min = options.TryGetValue("Min", out object? low) ? Convert.ToDouble(low, CultureInfo.InvariantCulture) : 0;
            double max = options.TryGetValue("Max", out object? high) ? Convert.ToDouble(high, CultureInfo.InvariantCulture) : 0;
            if (count is < 1 or > 32 || !(min < max) || double.IsInfinity(max - min) || options.ContainsKey("Decimals"))
            {
                problem = "give Min, a higher Max, and 1 to 32 Bits, without Decimals";
                return null;
            }

            string range = string.Format(CultureInfo.InvariantCulture, "{0:R}D, {1:R}D, {2}", min, max, count);
            return exact with
            {
                Spec = $"{Package}SyncSpec.Range({range})",
                Writer = "Range",
                Steps = $"{Package}SyncSpec.StepsOf({{0}}, {range})",
            };
        }

        if (!options.TryGetValue("Decimals", out object? digits))
        {
            return exact;
        }

        if (digits is not (int and >= 0 and <= 9 and var decimals))
        {
            problem = "Decimals is from 0 to 9";
            return null;
        }

        return exact with
        {
            Spec = $"{Package}SyncSpec.Fixed({decimals})",
            Writer = "Fixed",
            Steps = $"{Package}SyncSpec.StepsOf({{0}}, 1e{decimals})",
        };
    }
}
