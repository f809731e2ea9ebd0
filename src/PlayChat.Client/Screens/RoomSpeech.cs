namespace PlayChat.Client.Screens;

/// <summary>Says things in a room, one after the other, and tells when one of them was refused. The user types on meanwhile.</summary>
internal sealed class RoomSpeech(ChatSession session, long roomId)
{
    private Task _last = Task.CompletedTask;

    /// <summary>Says a text, behind what was said before.</summary>
    /// <returns>Completes when it has been answered, or will not be.</returns>
    public Task SayAsync(string text) => _last = ChatAsync(_last, text);

    /// <summary>Waits until everything that was said has been answered, or will not be.</summary>
    public Task AllAnsweredAsync() => _last.WaitAsync(session.Stop);

    /// <summary>Tells the user that a message failed.</summary>
    /// <returns>Null for an exception that has nothing to do with the message.</returns>
    public static string? Problem(Exception exception, string text) => exception switch
    {
        ChatErrorException or ArgumentException => $"Not sent: {exception.Message} ({Excerpt(text)})",
        TimeoutException or ChatConnectionClosedException => $"It is not known whether this arrived: {Excerpt(text)}. {exception.Message}",
        _ => null,
    };

    public static string TooLong(string text) =>
        $"Not sent: the text has {Encoding.UTF8.GetByteCount(text)} bytes of UTF-8, and {ChatLimits.MaxTextBytes} is the most.";

    public static string Excerpt(string text)
    {
        var elements = new StringInfo(text);
        const int MaxElements = 40;
        return elements.LengthInTextElements <= MaxElements ? text : elements.SubstringByTextElements(0, MaxElements) + "…";
    }

    // The one before it first: a message that is sent again keeps its place.
    private async Task ChatAsync(Task before, string text)
    {
        await before;
        try
        {
            ulong messageId = session.Client.NewClientMessageId();
            await session.SendAsync(() => session.Client.ChatAsync(roomId, text, messageId, session.Stop));
        }
        catch (Exception e) when (Problem(e, text) is { } problem)
        {
            session.TellUnsent(problem);
        }
    }
}
