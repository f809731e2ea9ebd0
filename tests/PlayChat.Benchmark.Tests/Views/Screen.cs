using System.Globalization;
using System.Text;

namespace PlayChat.Benchmark.Tests.Views;

/// <summary>A terminal of so many columns that understands what the live views send, and fails on everything else.</summary>
internal sealed class Screen : TextWriter
{
    private readonly List<StringBuilder> _rows = [new()];
    private int _row;
    private int _column;

    public override Encoding Encoding => Encoding.UTF8;

    /// <summary>The columns.</summary>
    public int Columns { get; init; } = 80;

    /// <summary>The rows down to the last one with text.</summary>
    public IReadOnlyList<string> Rows => _rows
        .Select(static row => row.ToString().TrimEnd())
        .Reverse()
        .SkipWhile(static row => row.Length == 0)
        .Reverse()
        .ToArray();

    public override void Write(char value) => Write(value.ToString());

    public override void Write(string? value)
    {
        for (int i = 0; i < value!.Length; i++)
        {
            switch (value[i])
            {
                case '\r':
                    _column = 0;
                    break;
                case '\n':
                    MoveTo(_row + 1);
                    break;
                case '\u001b':
                    int end = value.AsSpan(i).IndexOfAny("AJKm");
                    Control(value[i + end], value.AsSpan(i + 2, end - 2));
                    i += end;
                    break;
                default:
                    Put(value[i]);
                    break;
            }
        }
    }

    private void Put(char letter)
    {
        if (_column == Columns)
        {
            _column = 0;
            MoveTo(_row + 1);
        }

        StringBuilder row = _rows[_row];
        row.Append(' ', Math.Max(0, _column + 1 - row.Length));
        row[_column++] = letter;
    }

    private void Control(char code, ReadOnlySpan<char> argument)
    {
        switch (code)
        {
            case 'A':
                // 0 means 1, as in a real terminal.
                MoveTo(Math.Max(0, _row - Math.Max(1, int.Parse(argument, NumberStyles.None, CultureInfo.InvariantCulture))));
                break;
            case 'J':
                Assert.Equal(0, argument.Length);
                _rows[_row].Length = Math.Min(_rows[_row].Length, _column);
                _rows.RemoveRange(_row + 1, _rows.Count - _row - 1);
                break;
            case 'K':
                Assert.Equal(0, argument.Length);
                _rows[_row].Length = Math.Min(_rows[_row].Length, _column);
                break;
            default:
                Assert.Equal('m', code); // a style takes no column
                break;
        }
    }

    private void MoveTo(int row)
    {
        _row = row;
        while (_rows.Count <= row)
        {
            _rows.Add(new StringBuilder());
        }
    }
}
