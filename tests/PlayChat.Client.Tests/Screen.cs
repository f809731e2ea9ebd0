using System.Globalization;
using System.Text;
using PlayChat.Client.Text;

namespace PlayChat.Client.Tests;

/// <summary>What a terminal would show of what was written to it: the few sequences that the client uses, and no wrapping.</summary>
internal sealed class Screen
{
    // One entry a column; the second column of a wide character holds an empty text.
    private readonly List<List<string>> _rows = [[]];
    private int _row;

    public int CursorColumn { get; private set; }

    public int CursorRow => _row;

    /// <summary>The rows from the top, without what is blank at their ends.</summary>
    public IReadOnlyList<string> Rows => [.. _rows.Select(static row => string.Concat(row).TrimEnd(' '))];

    /// <summary>The row of the cursor.</summary>
    public string Line => Rows[_row];

    public void Write(string output)
    {
        for (int i = 0; i < output.Length;)
        {
            if (output[i] == '\u001b')
            {
                int end = i + 2;
                while (!char.IsAsciiLetter(output[end]))
                {
                    end++;
                }

                Apply(output[end], output[(i + 2)..end]);
                i = end + 1;
                continue;
            }

            int length = StringInfo.GetNextTextElementLength(output, i);
            string element = output.Substring(i, length);
            i += length;
            Put(element);
        }
    }

    private void Apply(char command, string argument)
    {
        switch (command)
        {
            case 'J' when argument == "2":
                _rows.Clear();
                _rows.Add([]);
                _row = 0;
                break;
            case 'H':
                int[] place = [.. argument.Split(';').Select(static number => int.Parse(number, CultureInfo.InvariantCulture) - 1)];
                while (_rows.Count <= place[0])
                {
                    _rows.Add([]);
                }

                (_row, CursorColumn) = (place[0], place[1]);
                break;
            case 'h' or 'l':
                break; // modes
            case 'J':
                _rows[_row] = [.. _rows[_row].Take(CursorColumn)];
                _rows.RemoveRange(_row + 1, _rows.Count - _row - 1);
                break;
            case 'A':
                _row = Math.Max(_row - int.Parse(argument, CultureInfo.InvariantCulture), 0);
                break;
            case 'C':
                CursorColumn += int.Parse(argument, CultureInfo.InvariantCulture);
                break;
            case 'm':
                break;
            default:
                throw new InvalidOperationException($"A sequence that the screen does not know: ESC[{argument}{command}");
        }
    }

    private void Put(string element)
    {
        switch (element)
        {
            case "\r":
                CursorColumn = 0;
                return;
            case "\r\n" or "\n":
                CursorColumn = 0;
                if (++_row == _rows.Count)
                {
                    _rows.Add([]);
                }

                return;
        }

        List<string> row = _rows[_row];
        while (row.Count < CursorColumn)
        {
            row.Add(" ");
        }

        int width = TextWidth.Of(element);
        if (row.Count > CursorColumn && row[CursorColumn].Length == 0 && CursorColumn > 0)
        {
            row[CursorColumn - 1] = " "; // half of a wide character is no character
        }

        row.RemoveRange(CursorColumn, Math.Min(width, row.Count - CursorColumn));
        if (row.Count > CursorColumn && row[CursorColumn].Length == 0)
        {
            row[CursorColumn] = " ";
        }

        row.InsertRange(CursorColumn, [element, .. Enumerable.Repeat("", Math.Max(width - 1, 0))]);
        CursorColumn += width;
    }
}
