using System.Collections;
using System.Globalization;
using System.Text;

namespace PlayChat.State.Tests;

/// <summary>Writes a state as text, so that two can be compared.</summary>
internal static class StateJson
{
    internal static string Of(SyncObject? value, StateView? view = null)
    {
        var text = new StringBuilder();
        Write(text, value, view);
        return text.ToString();
    }

    private static void Write(StringBuilder text, object? value, StateView? view)
    {
        switch (value)
        {
            case null:
                text.Append("null");
                break;
            case SyncObject item:
                WriteObject(text, item, view);
                break;
            case bool flag:
                text.Append(flag ? "true" : "false");
                break;
            case string word:
                text.Append('"').Append(word).Append('"');
                break;
            case Enum name:
                text.Append('"').Append(name).Append('"');
                break;
            default:
                text.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
                break;
        }
    }

    private static void WriteObject(StringBuilder text, SyncObject item, StateView? view)
    {
        text.Append("{ ");
        string separator = "";
        for (int slot = 0; slot < item.SyncType.Fields.Length; slot++)
        {
            SyncField field = item.SyncType.Fields[slot];
            object? value = item.GetType().GetProperty(field.Name)!.GetValue(item);
            bool isHidden = view is not null && field.IsViewed && field.Spec.Kind != SyncKind.Map && !view.IsShown(item);
            if (field.Spec.IsQuantized)
            {
                double seen = Quantize(field.Spec, value);
                value = value is float ? (float)seen : seen;
            }

            text.Append(separator).Append('"').Append(char.ToLowerInvariant(field.Name[0])).Append(field.Name[1..]).Append("\": ");
            separator = ", ";
            if (isHidden)
            {
                value = field.Spec.Kind == SyncKind.List ? Array.Empty<int>() : value is int ? 0 : null;
            }

            if (value is IEnumerable items and not string)
            {
                WriteItems(text, items, field, view);
            }
            else
            {
                Write(text, value, view);
            }
        }

        text.Append(" }");
    }

    private static void WriteItems(StringBuilder text, IEnumerable items, SyncField field, StateView? view)
    {
        var written = new List<string>();
        foreach (object item in items)
        {
            var one = new StringBuilder();
            object? value = item;
            if (field.Spec.Kind == SyncKind.Map)
            {
                value = item.GetType().GetProperty("Value")!.GetValue(item);
                if (view is not null && field.IsViewed && !view.IsShown((SyncObject)value!))
                {
                    continue;
                }

                one.Append('"').Append(item.GetType().GetProperty("Key")!.GetValue(item)).Append("\": ");
            }

            if (field.Spec.Item!.IsQuantized)
            {
                value = Quantize(field.Spec.Item, value);
            }

            Write(one, value, view);
            written.Add(one.ToString());
        }

        bool isMap = field.Spec.Kind == SyncKind.Map;
        if (isMap)
        {
            written.Sort(StringComparer.Ordinal);
        }

        text.Append(isMap ? "{ " : "[ ").AppendJoin(", ", written).Append(isMap ? " }" : " ]");
    }

    private static double Quantize(SyncSpec spec, object? value)
    {
        double number = Convert.ToDouble(value, CultureInfo.InvariantCulture);
        return spec.NumberOf(spec.Kind == SyncKind.Fixed
            ? SyncSpec.StepsOf(number, Math.Pow(10, spec.Decimals))
            : SyncSpec.StepsOf(number, spec.Min, spec.Max, spec.Bits));
    }
}
