namespace PlayChat.Client.FullScreen;

/// <summary>Draws a <see cref="ChatModel"/>. The picture depends on nothing else, so it can be tested without a terminal.</summary>
internal static class ChatView
{
    // A narrower window shows no members, a still narrower one no rooms.
    private const int MinColumnsWithMembers = 80;
    private const int MinColumnsWithRooms = 50;

    public static (int Columns, int Rows) ConversationSize(int columns, int rows)
    {
        (int left, int right) = Edges(columns);
        return (Math.Max(right - left, 2), Math.Max(rows - 3, 1)); // the title, the status and the input line
    }

    public static ScreenBuffer Draw(ChatModel model)
    {
        var screen = new ScreenBuffer(model.Size.Columns, model.Size.Rows);
        (int left, int right) = Edges(screen.Columns);
        (_, int rows) = ConversationSize(screen.Columns, screen.Rows);
        DrawTitle(screen, model);
        if (left > 0)
        {
            DrawRooms(screen, model, rows, left - 1);
        }

        DrawConversation(screen, model, rows, left, right);
        if (right < screen.Columns)
        {
            DrawMembers(screen, model, rows, right + 1);
        }

        DrawStatus(screen, model, screen.Rows - 2);
        DrawInput(screen, model, screen.Rows - 1);
        return screen;
    }

    // Where the conversation begins and ends; a line stands beside it on each side where there is something.
    private static (int Left, int Right) Edges(int columns)
    {
        int rooms = columns >= MinColumnsWithRooms ? Math.Clamp(columns / 6, 12, 24) + 1 : 0;
        int members = columns >= MinColumnsWithMembers ? Math.Clamp(columns / 8, 10, 20) + 1 : 0;
        return (rooms, columns - members);
    }

    private static void DrawTitle(ScreenBuffer screen, ChatModel model)
    {
        Conversation active = model.Active;
        screen.Repaint(0, 0, screen.Columns, Paint.Bar);
        string right = model.Server + " ";
        int start = Math.Max(screen.Columns - TextWidth.Of(right), screen.Columns / 2);
        screen.PutShortened(0, start, screen.Columns, right, Paint.Bar);
        string members = active.Members.Count == 1 ? "1 member" : $"{active.Members.Count} members";
        string title = active.RoomId == 0 ? " PlayChat" : $" {active.Name} ({active.RoomId}), {members}";
        screen.PutShortened(0, 0, start - 1, title, Paint.Bar);
    }

    private static void DrawRooms(ScreenBuffer screen, ChatModel model, int rows, int width)
    {
        // The list scrolls so that the active room is seen.
        int first = Math.Max(model.ActiveIndex - rows + 1, 0);
        for (int row = 0; row < rows; row++)
        {
            screen.Put(row + 1, width, width + 1, "│", Paint.Dim);
            if (first + row >= model.Conversations.Count)
            {
                continue;
            }

            Conversation room = model.Conversations[first + row];
            Paint paint = first + row == model.ActiveIndex ? Paint.Bar
                : room.IsMentioned ? Paint.Mention
                : room.Unread > 0 ? Paint.Bold : Paint.Normal;
            screen.Repaint(row + 1, 0, width, paint == Paint.Bar ? Paint.Bar : Paint.Normal);
            string unread = room.Unread == 0 ? "" : room.Unread > 999 ? " 999+" : $" {room.Unread}";
            string number = $"{first + row + 1} ";
            bool hasTwin = model.Conversations.Any(
                other => other != room && other.Name.Equals(room.Name, StringComparison.OrdinalIgnoreCase));
            string id = hasTwin ? $" ({room.RoomId})" : "";
            int end = screen.PutShortened(row + 1, 0, width - unread.Length - id.Length, number + room.Name, paint);
            screen.Put(row + 1, end, width - unread.Length, id, paint);
            screen.Put(row + 1, width - unread.Length, width, unread, paint);
        }
    }

    private static void DrawConversation(ScreenBuffer screen, ChatModel model, int rows, int left, int right)
    {
        IReadOnlyList<(string Text, Paint Paint)[]> seen = model.Active.SeenRows(Math.Max(right - left, 2), rows);
        for (int i = 0; i < seen.Count; i++)
        {
            int row = 1 + rows - seen.Count + i; // the newest stands at the bottom
            int column = left;
            foreach ((string text, Paint paint) in seen[i])
            {
                column = screen.Put(row, column, right, text, paint);
            }

            if (model.Search is { Text: { Length: > 0 } wanted })
            {
                Highlight(screen, row, left, string.Concat(seen[i].Select(static part => part.Text)), wanted);
            }
        }
    }

    private static void Highlight(ScreenBuffer screen, int row, int left, string text, string wanted)
    {
        int end = 0;
        while (text.IndexOf(wanted, end, StringComparison.CurrentCultureIgnoreCase) is >= 0 and int at)
        {
            end = Math.Min(at + wanted.Length, text.Length);
            screen.Repaint(row, left + TextWidth.Of(text[..at]), left + TextWidth.Of(text[..end]), Paint.Match);
        }
    }

    private static void DrawMembers(ScreenBuffer screen, ChatModel model, int rows, int left)
    {
        string[] names = [.. model.Active.Members.Order(StringComparer.CurrentCultureIgnoreCase)];
        for (int row = 0; row < rows; row++)
        {
            screen.Put(row + 1, left - 1, left, "│", Paint.Dim);
            if (row == rows - 1 && names.Length > rows)
            {
                string more = $"+{names.Length - row} more";
                screen.PutShortened(row + 1, left, screen.Columns, more, Paint.Dim);
            }
            else if (row < names.Length)
            {
                Paint paint = names[row] == model.PlayerName ? Paint.Own : Palette.OfSpeaker(names[row]);
                screen.PutShortened(row + 1, left, screen.Columns, names[row], paint);
            }
        }
    }

    private static void DrawStatus(ScreenBuffer screen, ChatModel model, int row)
    {
        screen.Repaint(row, 0, screen.Columns, Paint.Bar);
        int column = screen.PutShortened(row, 0, screen.Columns / 2, model.PlayerName is { } name ? $" {name} " : " ", Paint.Bar);
        column = screen.Put(row, column, screen.Columns, "│ ", Paint.Bar);
        string latency = model.Link is { IsConnected: true, Latency: { } taken }
            ? string.Create(CultureInfo.InvariantCulture, $", {Math.Max(Math.Ceiling(taken.TotalMilliseconds), 1):0} ms") : "";
        string link = $"{(model.Link.IsConnected ? '●' : '○')} {model.Link.Words}{latency} ";
        column = screen.PutShortened(row, column, screen.Columns, link, model.Link.IsConnected ? Paint.Bar : Paint.BarWarning);
        string right = model.Active switch
        {
            { LinesBelow: > 0 and var lines } => $"↓ {lines} more, PgDn ",
            { Writers: [] } => "PgUp  ^F search  ^N ^P room  /help ",
            { Writers: [var writer] } => $"{SafeText.Clean(writer)} is writing ",
            { Writers: var writers } => $"{writers.Count} members are writing ",
        };
        int start = screen.Columns - TextWidth.Of(right);
        if (column <= start)
        {
            screen.Put(row, start, screen.Columns, right, Paint.Bar);
        }
    }

    private static void DrawInput(ScreenBuffer screen, ChatModel model, int row)
    {
        int end = screen.Columns;
        if (model.Search is { Text: { Length: > 0 } wanted })
        {
            IReadOnlyList<int> matches = model.Active.Find(wanted);
            string found = model.Found is not { } line ? " not found, Esc"
                : $" {matches.Count(match => match >= line)} of {matches.Count}, ↑ ↓, Esc";
            if (end - found.Length > screen.Columns / 2)
            {
                end -= found.Length;
                screen.Put(row, end, screen.Columns, found, Paint.Dim);
            }
        }

        (string text, int cursor) = model.Input.Layout(end);
        screen.Put(row, 0, end, text, Paint.Normal);
        screen.Cursor = (row, Math.Min(cursor, screen.Columns - 1));
    }
}
