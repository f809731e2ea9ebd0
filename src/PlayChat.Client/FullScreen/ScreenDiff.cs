namespace PlayChat.Client.FullScreen;

/// <summary>Finds what to write to a terminal so that it shows another picture.</summary>
internal static class ScreenDiff
{
    private const string HideCursor = "\u001b[?25l";
    private const string ShowCursor = "\u001b[?25h";
    private const string ClearAll = "\u001b[0m\u001b[2J";

    /// <param name="shown">What the terminal shows; null when that is unknown.</param>
    /// <param name="next">What it shall show.</param>
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
        bool Differs(int column) => shown.TextAt(row, column) != next.TextAt(row, column)
            || shown.PaintAt(row, column) != next.PaintAt(row, column);

        int first = Enumerable.Range(0, next.Columns).FirstOrDefault(Differs, next.Columns);
        int last = Enumerable.Range(0, next.Columns).LastOrDefault(Differs, -1);
        if (last < 0)
        {
            return;
        }

        // Wide characters are written whole, also where only one of their columns differs.
        while (first > 0 && (next.TextAt(row, first).Length == 0 || shown.TextAt(row, first).Length == 0))
        {
            first--;
        }

        bool isPlaced = false;
        Paint? paint = null;
        for (int column = first; column <= last; column++)
        {
            string text = next.TextAt(row, column);
            if (text.Length == 0)
            {
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

            // Terminals differ in the width of rare characters: behind one the cursor is placed anew, so that the rest of the row stands
            // where it belongs.
            isPlaced = text.Length == 1 && text[0] < 0x3000 && !IsWide(next, row, column);
        }
    }

    private static bool IsWide(ScreenBuffer buffer, int row, int column) =>
        column + 1 < buffer.Columns && buffer.TextAt(row, column + 1).Length == 0;

    private static void MoveTo(StringBuilder output, int row, int column) =>
        output.Append(CultureInfo.InvariantCulture, $"\u001b[{row + 1};{column + 1}H");
}
