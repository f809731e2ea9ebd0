using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace PlayChat.ApiReference;

/// <summary>The XML documentation of one assembly, which lies beside it.</summary>
internal sealed partial class XmlDocs
{
    private readonly Dictionary<string, XElement> _members;
    private readonly Catalog _catalog;

    /// <param name="assembly">Built with its documentation.</param>
    /// <param name="catalog">Knows the links to what the documentation names.</param>
    public XmlDocs(Assembly assembly, Catalog catalog)
    {
        _catalog = catalog;
        XDocument file = XDocument.Load(Path.ChangeExtension(assembly.Location, ".xml"));
        _members = file.Descendants("member").ToDictionary(static member => member.Attribute("name")!.Value, StringComparer.Ordinal);
    }

    /// <summary>Finds what is said of a type or a member; what it inherits counts as its own.</summary>
    public MemberDocs? Of(MemberInfo member)
    {
        XElement? docs = Find(member, []);
        return docs is null ? null : new MemberDocs(Text(docs.Element("summary")), Text(docs.Element("remarks")), Details(docs).ToArray());
    }

    private XElement? Find(MemberInfo member, HashSet<string> seen)
    {
        string id = DocumentationId.Of(member);
        if (!seen.Add(id) || !_members.TryGetValue(id, out XElement? docs))
        {
            return null;
        }

        if (docs.Element("inheritdoc") is not { } inherits)
        {
            return docs;
        }

        if (inherits.Attribute("cref")?.Value is { } other)
        {
            return _members.GetValueOrDefault(other);
        }

        return DocumentationId.Inherited(member).Select(found => Find(found, seen)).FirstOrDefault(static found => found is not null);
    }

    private IEnumerable<string> Details(XElement docs)
    {
        foreach (XElement parameter in docs.Elements("typeparam").Concat(docs.Elements("param")))
        {
            if (Text(parameter) is { Length: > 0 } text)
            {
                yield return $"`{parameter.Attribute("name")!.Value}`: {text}";
            }
        }

        if (Text(docs.Element("returns")) is { Length: > 0 } returns)
        {
            yield return $"Returns: {returns}";
        }

        foreach (XElement exception in docs.Elements("exception"))
        {
            yield return $"Throws {Linked(exception)}: {Text(exception)}";
        }
    }

    private string Text(XElement? element)
    {
        if (element is null)
        {
            return "";
        }

        var text = new StringBuilder();
        Append(text, element.Nodes());
        return string.Join("\n\n", text.ToString().Split('\f')
            .Select(static part => Space().Replace(part, " ").Trim()).Where(static part => part.Length > 0));
    }

    // A form feed divides paragraphs until all other white space has become one blank.
    private void Append(StringBuilder text, IEnumerable<XNode> nodes)
    {
        foreach (XNode node in nodes)
        {
            switch (node)
            {
                case XText plain:
                    text.Append(plain.Value.Replace("<", "&lt;", StringComparison.Ordinal));
                    break;
                case XElement { Name.LocalName: "c" or "code" } code:
                    text.Append('`').Append(code.Value).Append('`');
                    break;
                case XElement { Name.LocalName: "see" or "seealso" or "paramref" or "typeparamref" } reference:
                    text.Append(Linked(reference));
                    break;
                case XElement { Name.LocalName: "para" or "item" } paragraph:
                    text.Append('\f');
                    Append(text, paragraph.Nodes());
                    text.Append('\f');
                    break;
                case XElement { Name.LocalName: "term" } term:
                    Append(text, term.Nodes());
                    text.Append(": ");
                    break;
                case XElement { Name.LocalName: "b" } bold:
                    text.Append("**").Append(bold.Value).Append("**");
                    break;
                case XElement other:
                    Append(text, other.Nodes());
                    break;
            }
        }
    }

    private string Linked(XElement reference)
    {
        string? cref = reference.Attribute("cref")?.Value;
        string name = cref is not null && _catalog.TypeOf(cref) is { } type ? Signatures.NameOf(type) : NameIn(reference);
        return cref is not null && _catalog.LinkOf(cref) is { } link ? $"[`{name}`]({link})" : $"`{name}`";
    }

    private static string NameIn(XElement reference) =>
        reference.Attribute("cref") is { } cref ? ShortName(cref.Value)
            : (reference.Attribute("langword") ?? reference.Attribute("name") ?? reference.Attribute("href"))?.Value ?? reference.Value;

    // "M:PlayChat.Core.Connections.Connection.Send(System.ReadOnlySpan{System.Byte})" is Connection.Send.
    private static string ShortName(string cref)
    {
        string[] parts = cref[2..].Split('(')[0].Split('.');
        string name = cref[0] == 'T' || parts.Length == 1 ? parts[^1] : $"{parts[^2]}.{parts[^1]}";
        return Arity().Replace(name, "").Replace("#ctor", "new", StringComparison.Ordinal);
    }

    [GeneratedRegex(@"\s+", RegexOptions.NonBacktracking)]
    private static partial Regex Space();

    [GeneratedRegex("`+[0-9]+", RegexOptions.NonBacktracking)]
    private static partial Regex Arity();
}
