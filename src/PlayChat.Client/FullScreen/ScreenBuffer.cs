namespace PlayChat.Client.FullScreen;

/// <summary>A picture of the whole window: a character and a paint for each cell, and where the cursor stands.</summary>
/// <remarks>Nothing that is put in moves the cursor or changes colours: control characters become visible signs. For one thread.</remarks>
internal sealed class ScreenBuffer(int columns, int rows)
{
    // The second column of a wide character holds an empty text.
    private readonly (string Text, Paint Paint)[] _cells = [.. Enumerable.Repeat((" ", Paint.Normal), columns * rows)];

    public int Columns => columns;

    public int Rows => rows;

    public (int Row, int Column) Cursor { get; set; }

    /// <summary>Puts a text into a row. What does not fit before <paramref name="end"/> is left out.</summary>
    /// <returns>The column behind the text.</returns>
    public int Put(int row, int column, int end, string text, Paint paint)
    {
        text = SafeText.Clean(text);
        foreach ((int start, int length, int width) in TextWidth.GraphemesOf(text))
        {
            if ((uint)row >= (uint)Rows || column + width > Math.Min(end, Columns))
            {
                break;
            }

            // A mark without its letter takes no column: terminals would put it onto the cell before.
            for (int i = 0; i < width; i++)
            {
                _cells[(row * Columns) + column + i] = (i == 0 ? text.Substring(start, length) : "", paint);
            }

            column += width;
        }

        return column;
    }

    /// <summary>Puts a text that ends with … where it does not fit.</summary>
    /// <returns>The column behind the text.</returns>
    public int PutShortened(int row, int column, int end, string text, Paint paint)
    {
        if (TextWidth.Of(SafeText.Clean(text)) <= end - column)
        {
            return Put(row, column, end, text, paint);
        }

        column = Put(row, column, end - 1, text, paint);
        return Put(row, column, end, "…", paint);
    }

    public void Repaint(int row, int column, int end, Paint paint)
    {
        for (; column < Math.Min(end, Columns) && (uint)row < (uint)Rows; column++)
        {
            _cells[(row * Columns) + column].Paint = paint;
        }
    }

    /// <summary>The character in a cell; empty in the second column of a wide one.</summary>
    public string TextAt(int row, int column) => _cells[(row * Columns) + column].Text;

    public Paint PaintAt(int row, int column) => _cells[(row * Columns) + column].Paint;
}

/// <summary>Finds what to write to a terminal so that it shows another picture.</summary>
internal static class ScreenDiff
{
    private const string HideCursor = "\u001b[?25l";
    private const string ShowCursor = "\u001b[?25h";
    private const string ClearAll = "\u001b[0m\u001b[2J";

    /// <param name="shown">What the terminal shows; null when that is unknown.</param>
    /// <param name="usesColors">See <see cref="Palette.Sequence"/>.</param>
    /// <returns>The sequences; empty when nothing differs.</returns>
    public static string Render(ScreenBuffer? shown, ScreenBuffer next, bool usesColors)
    {
        var output = new StringBuilder();
        if (shown is null || shown.Columns != next.Columns || shown.Rows != next.Rows)
        {
            output.Append(ClearAll);
            shown = new ScreenBuffer(next.Columns, next.Rows) { Cursor = (-1, -1) };
        }

        for (int row = 0; row < next.Rows; row++)
        {
            RenderRow(output, shown, next, row, usesColors);
        }

        if (output.Length == 0 && shown.Cursor == next.Cursor)
        {
            return "";
        }

        output.Insert(0, HideCursor).Append(Palette.Sequence(Paint.Normal, usesColors));
        MoveTo(output, next.Cursor.Row, next.Cursor.Column);
        return output.Append(ShowCursor).ToString();
    }

    private static void RenderRow(StringBuilder output, ScreenBuffer shown, ScreenBuffer next, int row, bool usesColors)
    {
        bool isPlaced = false;
        Paint? paint = null;
        for (int column = 0; column < next.Columns; column++)
        {
            string text = next.TextAt(row, column);
            if (text.Length == 0 || (text == shown.TextAt(row, column) && next.PaintAt(row, column) == shown.PaintAt(row, column)))
            {
                isPlaced = false;
                continue;
            }

            if (!isPlaced)
            {
                MoveTo(output, row, column);
            }

            if (paint != next.PaintAt(row, column))
            {
                paint = next.PaintAt(row, column);
                output.Append(Palette.Sequence(paint.Value, usesColors));
            }

            output.Append(text);

            // Terminals differ in the width of rare and wide characters: behind one the cursor is placed anew, so that the rest of the
            // row stands where it belongs.
            isPlaced = text.Length == 1 && text[0] < 0x3000;
        }
    }

    private static void MoveTo(StringBuilder output, int row, int column) =>
        output.Append(CultureInfo.InvariantCulture, $"\u001b[{row + 1};{column + 1}H");
}
