using System.Globalization;
using System.Text;

namespace PlayChat.Tool;

/// <summary>Writes messages.ts: a type for each message, and its packet under the same name.</summary>
internal sealed class MessagesWriter(Contract contract, Longs longs)
{
    private readonly StringBuilder _text = new();
    private readonly HashSet<Definition> _converted = [];

    public string Write(string header)
    {
        // Packets that need no more than JSON are plain; decimals matter only beside 64-bit integers.
        Packet[] shaped = [.. contract.Packets.Where(packet => Contains(packet.Message, static shape =>
            shape is UnionType or Scalar { Kind: ScalarKind.Long }))];
        foreach (Definition definition in contract.Definitions)
        {
            bool isReached = Array.Exists(shaped, packet => Contains(packet.Message, shape => ReferenceEquals(shape, definition)));
            if (isReached
                && Contains(definition, static shape => shape is UnionType or Scalar { Kind: ScalarKind.Long or ScalarKind.Decimal }))
            {
                _converted.Add(definition);
            }
        }

        Line($"// {header}");
        if (contract.Packets.Count > shaped.Length)
        {
            Line("import * as core from \"@playchat/core\";");
        }

        if (shaped.Length > 0)
        {
            Line("import * as wire from \"@playchat/core/shapes\";");
        }

        foreach (Definition definition in contract.Definitions)
        {
            WriteType(definition);
        }

        foreach (Definition definition in contract.Definitions.Where(_converted.Contains))
        {
            WriteShape(definition);
        }

        Line("");
        foreach (Packet packet in contract.Packets)
        {
            string name = packet.Name;
            string id = packet.Id.ToString(CultureInfo.InvariantCulture);
            string arguments = $"<{name}>({id}, \"{name}\"";
            Line($"export const {name} = " + (shaped.Contains(packet)
                ? $"wire.shaped{arguments}, {ShapeName(packet.Message)}, \"{TypeScript.NameOf(longs)}\");"
                : $"core.json{arguments});"));
        }

        return _text.ToString();
    }

    private void WriteType(Definition definition)
    {
        string name = definition.Name;
        Line("");
        switch (definition)
        {
            case ObjectType type:
                Line($"export interface {name} {{");
                foreach (Member member in type.Members)
                {
                    WriteMember(member);
                }

                Line(type.IsOpen ? "    [member: string]: unknown;\n}" : "}");
                break;
            case EnumType { IsText: true, IsFlags: true }:
                Line($"/** One or more names, separated by \", \". */\nexport type {name} = string;");
                break;
            case EnumType { IsText: true } type:
                Line($"export type {name} = {string.Join(" | ", type.Values.Select(static value => TypeScript.Literal(value.Name)))};");
                break;
            case EnumType type:
                Line($"export const {name} = {{");
                foreach ((string value, long number) in type.Values)
                {
                    Line($"    {TypeScript.MemberName(value)}: {number.ToString(CultureInfo.InvariantCulture)},");
                }

                Line("} as const;");
                Line(type.IsFlags ? $"export type {name} = number;" : $"export type {name} = (typeof {name})[keyof typeof {name}];");
                break;
            case UnionType type:
                Line($"export type {name} =");
                foreach ((object? value, ObjectType kind) in type.Kinds)
                {
                    string mark = value is null ? "" : $"{{ {TypeScript.MemberName(type.Discriminator)}: {TypeScript.Literal(value)} }} & ";
                    Line($"    | {(value is null ? kind.Name : $"({mark}{kind.Name})")}{(type.Kinds[^1].Type == kind ? ";" : "")}");
                }

                break;
            case AliasType alias:
                Line($"export type {name} = {TypeScript.TypeOf(alias.Shape, longs)};");
                break;
        }
    }

    private void WriteMember(Member member)
    {
        string?[] notes = [member.Note, NoteOf(member.Shape)];
        string note = string.Join(". ", notes.Where(static part => part is not null));
        if (note.Length > 0)
        {
            Line($"    /** {note}. */");
        }

        Line($"    {TypeScript.MemberName(member.Name)}{(member.IsOptional ? "?" : "")}: {TypeScript.TypeOf(member.Shape, longs)};");
    }

    private static string? NoteOf(Shape shape) => shape switch
    {
        Scalar scalar => scalar.Note,
        OrNull maybe => NoteOf(maybe.Value),
        ListOf list => NoteOf(list.Item),
        MapOf map => NoteOf(map.Value),
        _ => null,
    };

    private static string ShapeName(Definition definition) => "shapeOf" + definition.Name;

    private void WriteShape(Definition definition)
    {
        string expression = definition switch
        {
            AliasType alias => Conversion(alias.Shape)!,
            UnionType union => $"wire.union({TypeScript.Literal(union.Discriminator)}, () => (" + Members(
                union.Kinds.Where(static kind => kind.Value is not null).Select(static kind => (kind.Value!.ToString()!, (Shape)kind.Type)))
                + "))",
            ObjectType type => $"wire.object(() => ({Members(type.Members.Select(static member => (member.Name, member.Shape)))}))",
            _ => throw new InvalidOperationException($"{definition.Name} is not converted."),
        };
        Line($"\nconst {ShapeName(definition)}: wire.Shape = {expression};");
    }

    private string Members(IEnumerable<(string Name, Shape Shape)> members)
    {
        string text = string.Join(
            ", ",
            from member in members
            let conversion = Conversion(member.Shape)
            where conversion is not null
            select $"{TypeScript.MemberName(member.Name)}: {conversion}");
        return text.Length == 0 ? "{}" : $"{{ {text} }}";
    }

    /// <summary>What converts a value; <see langword="null"/> for one that stays as it is.</summary>
    private string? Conversion(Shape shape) => shape switch
    {
        Scalar { Kind: ScalarKind.Long } => "wire.long",
        Scalar { Kind: ScalarKind.Decimal } => "wire.decimal",
        OrNull maybe => Conversion(maybe.Value),
        ListOf list => Conversion(list.Item) is { } item ? $"wire.list({item})" : null,
        MapOf map => Conversion(map.Value) is { } value ? $"wire.map({value})" : null,
        Definition definition when _converted.Contains(definition) => ShapeName(definition),
        _ => null,
    };

    private static bool Contains(Shape shape, Predicate<Shape> predicate)
    {
        var seen = new HashSet<Shape>();
        return Look(shape);

        bool Look(Shape part) => predicate(part) || (seen.Add(part) && part switch
        {
            OrNull maybe => Look(maybe.Value),
            ListOf list => Look(list.Item),
            MapOf map => Look(map.Value),
            AliasType alias => Look(alias.Shape),
            ObjectType type => type.Members.Exists(member => Look(member.Shape)),
            UnionType union => union.Kinds.Exists(kind => Look(kind.Type)),
            _ => false,
        });
    }

    private void Line(string line) => _text.Append(line).Append('\n');
}
