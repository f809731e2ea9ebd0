using System.Text.Json;
using System.Text.RegularExpressions;

namespace PlayChat.Tool;

/// <summary>The types of TypeScript for shapes: the one place that knows them.</summary>
internal static partial class TypeScript
{
    // Words that no type or constant of a module may have, and the names that the generated modules use.
    private static readonly HashSet<string> s_reserved = new(
        ("any as async await bigint boolean break case catch class const continue debugger default delete do else enum export extends "
            + "false finally for function if implements import in instanceof interface let never new null number object package private "
            + "protected public return static string super switch symbol this throw true try type typeof undefined unknown var void "
            + "while with yield core wire").Split(' '),
        StringComparer.Ordinal);

    public static bool IsReserved(string name) => s_reserved.Contains(name);

    public static string TypeOf(Shape shape, Longs longs) => shape switch
    {
        Definition definition => definition.Name,
        OrNull maybe => $"{TypeOf(maybe.Value, longs)} | null",
        ListOf list when TypeOf(list.Item, longs) is var item => item.Contains('|') ? $"({item})[]" : $"{item}[]",
        MapOf map => $"{{ [key: string]: {TypeOf(map.Value, longs)} }}",
        Scalar scalar => scalar.Kind switch
        {
            ScalarKind.Text => "string",
            ScalarKind.Boolean => "boolean",
            ScalarKind.Any => "unknown",
            ScalarKind.Long => NameOf(longs),
            ScalarKind.NamedNumber => "number | \"NaN\" | \"Infinity\" | \"-Infinity\"",
            _ => "number",
        },
        _ => throw new InvalidOperationException($"{shape} has no type."),
    };

    public static string NameOf(Longs longs) => longs switch
    {
        Longs.String => "string",
        Longs.Number => "number",
        _ => "bigint",
    };

    /// <summary>A text or number as a literal.</summary>
    public static string Literal(object value) => JsonSerializer.Serialize(value);

    /// <summary>The name of a member, in quotes where it needs them.</summary>
    public static string MemberName(string name) => Identifier().IsMatch(name) ? name : Literal(name);

    /// <summary>A name as that of a function or constant: <c>playerCame</c>.</summary>
    public static string LowerFirst(string name) => char.ToLowerInvariant(name[0]) + name[1..];

    [GeneratedRegex(@"^[\p{L}_$][\p{L}\p{Nd}_$]*$", RegexOptions.NonBacktracking)]
    private static partial Regex Identifier();
}
