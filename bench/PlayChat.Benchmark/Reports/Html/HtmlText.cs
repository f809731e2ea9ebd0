using System.Globalization;
using System.Text;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>Builds markup from pieces. A string in a hole is encoded; an <see cref="HtmlText"/> in a hole is inserted as it is.</summary>
internal sealed class HtmlText
{
    private readonly StringBuilder _text = new();

    /// <summary>Starts empty.</summary>
    public HtmlText()
    {
    }

    /// <summary>Starts with a piece.</summary>
    public HtmlText(FormattableString markup) => Add(markup);

    /// <summary>Adds a piece. Its holes take strings, numbers and markup.</summary>
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

    /// <summary>Adds markup without encoding it.</summary>
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
