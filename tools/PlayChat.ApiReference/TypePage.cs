using System.Globalization;
using System.Reflection;
using System.Text;

namespace PlayChat.ApiReference;

/// <summary>The page of one type: its declaration, its documentation, and its members by kind, overloads under one heading.</summary>
internal sealed class TypePage(Catalog catalog, Type type)
{
    private const int MaxColumns = 70; // the width of a page

    private readonly List<string> _lines = [];

    public string Write()
    {
        _lines.Add($"# {Signatures.NameOf(type).Replace("<", "&lt;", StringComparison.Ordinal)}\n");
        _lines.Add($"\nNamespace [{type.Namespace}](README.md), package `{type.Assembly.GetName().Name}`\n");
        AddCode(Signatures.Declaration(type));
        Add(catalog.DocsOf(type));
        AddFamily();
        MemberInfo[] members = [.. Signatures.MembersOf(type)];
        if (type.IsEnum)
        {
            AddValues(members);
        }
        else
        {
            AddOverloads("Constructors", members.OfType<ConstructorInfo>());
            AddGroup("Fields", members.OfType<FieldInfo>());
            AddGroup("Properties", members.OfType<PropertyInfo>());
            AddGroup("Methods", members.OfType<MethodInfo>());
            AddGroup("Events", members.OfType<EventInfo>());
        }

        AddExtensions();
        return string.Concat(_lines);
    }

    private void AddFamily()
    {
        if (type is { IsClass: true, BaseType: { } parent } && catalog.LinkTo(parent).StartsWith('['))
        {
            _lines.Add($"\nInherits the members of {catalog.LinkTo(parent)}.\n");
        }

        string[] derived = [.. catalog.DerivedFrom(type).Select(catalog.LinkTo)];
        if (derived.Length > 0)
        {
            _lines.Add($"\nDerived types: {string.Join(", ", derived)}\n");
        }
    }

    private void AddValues(IEnumerable<MemberInfo> values)
    {
        _lines.Add("\n## Values\n\n| value | number | meaning |\n| --- | --- | --- |\n");
        foreach (FieldInfo value in values.OfType<FieldInfo>())
        {
            long number = Convert.ToInt64(value.GetRawConstantValue(), CultureInfo.InvariantCulture);
            MemberDocs? docs = catalog.DocsOf(value);
            _lines.Add($"| `{value.Name}` | {number} | {Cell($"{docs?.Summary} {docs?.Remarks}")} |\n");
        }
    }

    private void AddGroup(string title, IEnumerable<MemberInfo> members)
    {
        bool isFirst = true;
        foreach (IGrouping<string, MemberInfo> overloads in members.GroupBy(static member => member.Name, StringComparer.Ordinal))
        {
            if (isFirst)
            {
                _lines.Add($"\n## {title}\n");
                isFirst = false;
            }

            AddOverloads($"# {overloads.Key}", overloads);
        }
    }

    private void AddOverloads(string heading, IEnumerable<MemberInfo> overloads)
    {
        bool isFirst = true;
        foreach (MemberInfo member in overloads)
        {
            if (isFirst)
            {
                _lines.Add($"\n##{(heading[0] == '#' ? "" : " ")}{heading}\n");
                isFirst = false;
            }

            AddCode(Signatures.Of(member));
            Add(catalog.DocsOf(member));
        }
    }

    private void AddExtensions()
    {
        IGrouping<string, MethodInfo>[] methods =
            [.. catalog.ExtensionsOf(type).GroupBy(method => catalog.LinkOf(DocumentationId.Of(method))!, StringComparer.Ordinal)];
        if (methods.Length == 0)
        {
            return;
        }

        _lines.Add("\n## Extension methods\n\n| method | what it does |\n| --- | --- |\n");
        foreach (IGrouping<string, MethodInfo> overloads in methods)
        {
            MethodInfo method = overloads.First();
            _lines.Add($"| [`{method.Name}`]({overloads.Key}) | {Cell(catalog.DocsOf(method)?.Summary)} |\n");
        }
    }

    private void AddCode(string code) => _lines.Add($"\n```csharp\n{(code.Length > MaxColumns ? Wrap(code) : code)}\n```\n");

    /// <summary>Puts each parameter of a declaration on a line of its own.</summary>
    private static string Wrap(string code)
    {
        var wrapped = new StringBuilder();
        int depth = 0; // of brackets, of which the parameters' own is the first
        bool isInParameters = false;
        foreach (char letter in code)
        {
            bool isFirst = letter == '(' && !isInParameters;
            isInParameters |= isFirst;
            depth += !isInParameters ? 0 : letter is '(' or '<' ? 1 : letter is ')' or '>' ? -1 : 0;
            if (letter == ' ' && depth == 1 && wrapped[^1] == ',')
            {
                wrapped.Append("\n    ");
            }
            else
            {
                wrapped.Append(letter).Append(isFirst ? "\n    " : "");
            }
        }

        return wrapped.ToString();
    }

    private void Add(MemberDocs? docs)
    {
        if (docs is null)
        {
            return;
        }

        foreach (string text in new[] { docs.Summary, docs.Remarks }.Where(static text => text.Length > 0))
        {
            _lines.Add($"\n{text}\n");
        }

        if (docs.Details.Count > 0)
        {
            _lines.Add("\n");
            _lines.AddRange(docs.Details.Select(static detail => $"- {detail}\n"));
        }
    }

    /// <summary>Text as a cell of a table, in one line.</summary>
    public static string Cell(string? text) =>
        (text ?? "").Trim().ReplaceLineEndings(" ").Replace("|", "\\|", StringComparison.Ordinal);
}
