using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PlayChat.Tool;

/// <summary>How a context with [JsonSourceGenerationOptions] writes messages.</summary>
/// <param name="Naming">Of members.</param>
/// <param name="Ignore">When a member is left out.</param>
/// <param name="Numbers">How numbers are written.</param>
/// <param name="IncludeFields">Whether fields are members.</param>
/// <param name="IgnoreReadOnly">Whether properties without a setter are left out.</param>
/// <param name="EnumsAreText">What is said of all enums.</param>
/// <param name="TextEnums">Enums that are text.</param>
internal sealed record JsonRules(
    JsonNamingPolicy? Naming,
    JsonIgnoreCondition Ignore,
    JsonNumberHandling Numbers,
    bool IncludeFields,
    bool IgnoreReadOnly,
    bool EnumsAreText,
    IReadOnlySet<string> TextEnums)
{
    /// <exception cref="ContractException">It has converters of its own.</exception>
    public static JsonRules Of(Type context)
    {
        if (context.Find(Attributes.Json + "JsonSourceGenerationOptionsAttribute") is not { } options)
        {
            var none = new HashSet<string>(StringComparer.Ordinal);
            return new JsonRules(null, JsonIgnoreCondition.Never, JsonNumberHandling.Strict, false, false, false, none);
        }

        bool isWeb = options.Argument<int>(0) == (int)JsonSerializerDefaults.Web;
        var naming = (JsonKnownNamingPolicy)options.Named<int>("PropertyNamingPolicy");
        List<Type> converters = [.. (options.Named<IReadOnlyCollection<CustomAttributeTypedArgument>>("Converters") ?? [])
            .Select(static argument => (Type)argument.Value!)];
        if (converters.Find(static converter => EnumTextOf(converter) is null) is { } unknown)
        {
            throw new ContractException(
                $"{context.Name} has the converter {unknown.Name}, whose JSON cannot be read from the assembly. Only "
                    + "JsonStringEnumConverter is known. Take the converter out, and give the messages properties that have the form "
                    + "of the JSON.");
        }

        return new JsonRules(
            naming switch
            {
                JsonKnownNamingPolicy.CamelCase => JsonNamingPolicy.CamelCase,
                JsonKnownNamingPolicy.SnakeCaseLower => JsonNamingPolicy.SnakeCaseLower,
                JsonKnownNamingPolicy.SnakeCaseUpper => JsonNamingPolicy.SnakeCaseUpper,
                JsonKnownNamingPolicy.KebabCaseLower => JsonNamingPolicy.KebabCaseLower,
                JsonKnownNamingPolicy.KebabCaseUpper => JsonNamingPolicy.KebabCaseUpper,
                _ => isWeb ? JsonNamingPolicy.CamelCase : null,
            },
            (JsonIgnoreCondition)options.Named<int>("DefaultIgnoreCondition"),
            (JsonNumberHandling)options.Named<int>("NumberHandling"),
            options.Named<bool>("IncludeFields"),
            options.Named<bool>("IgnoreReadOnlyProperties"),
            options.Named<bool>("UseStringEnumConverter") || converters.Exists(static converter => !converter.IsGenericType),
            converters.Where(static converter => converter.IsGenericType)
                .Select(static converter => converter.GenericTypeArguments[0].FullName!).ToHashSet(StringComparer.Ordinal));
    }

    /// <summary>Whether a converter of enums writes their names; <see langword="null"/> for any other converter.</summary>
    public static bool? EnumTextOf(Type? converter) => converter?.FullName?.Split('[')[0] switch
    {
        Attributes.Json + "JsonStringEnumConverter" or Attributes.Json + "JsonStringEnumConverter`1" => true,
        Attributes.Json + "JsonNumberEnumConverter`1" => false,
        _ => null,
    };
}
