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
