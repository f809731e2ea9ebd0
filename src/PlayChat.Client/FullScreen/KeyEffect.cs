namespace PlayChat.Client.FullScreen;

/// <summary>What a key has done beyond changing what is seen.</summary>
internal abstract record KeyEffect
{
    private KeyEffect()
    {
    }

    /// <summary>A line was entered in a room; null asks for earlier messages.</summary>
    public sealed record Entered(long RoomId, string? Line) : KeyEffect;

    /// <summary>The question was answered; null at the end of the input.</summary>
    public sealed record Answered(string? Line) : KeyEffect;

    /// <summary>The input has ended: Ctrl+D in an empty line.</summary>
    public sealed record Ended : KeyEffect;

    /// <summary>The screen shall be drawn anew.</summary>
    public sealed record Redraw : KeyEffect;
}
