using System.Globalization;
using System.Text;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>Markup that is put together from pieces: every text that is filled in is encoded, unless it is markup itself.</summary>
internal sealed class HtmlText
{
    private readonly StringBuilder _text = new();

    /// <summary>Nothing yet.</summary>
    public HtmlText()
    {
    }

    /// <summary>A first piece.</summary>
    public HtmlText(FormattableString markup) => Add(markup);

    /// <summary>Adds a piece; its holes take texts, numbers and other markup.</summary>
    public HtmlText Add(FormattableString markup)
    {
        object?[] values = markup.GetArguments().Select(static value => value is string text ? Encode(text) : value).ToArray();
        _text.AppendFormat(CultureInfo.InvariantCulture, markup.Format, values);
        return this;
    }

    /// <summary>Adds a piece for each item.</summary>
    public HtmlText AddEach<T>(IEnumerable<T> items, Func<T, FormattableString> markup)
    {
        foreach (T item in items)
        {
            Add(markup(item));
        }

        return this;
    }

    /// <summary>Markup as it is.</summary>
    public HtmlText AddRaw(string markup)
    {
        _text.Append(markup);
        return this;
    }

    /// <inheritdoc/>
    public override string ToString() => _text.ToString();

    private static string Encode(string text) => text
        .Replace("&", "&amp;", StringComparison.Ordinal)
        .Replace("<", "&lt;", StringComparison.Ordinal)
        .Replace(">", "&gt;", StringComparison.Ordinal)
        .Replace("\"", "&quot;", StringComparison.Ordinal);
}
