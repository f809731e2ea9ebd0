namespace PlayChat.State;

/// <summary>Bounds of a state, at the server and at a client. What a server sends must fit the limits of its clients.</summary>
public sealed class StateLimits
{
    /// <summary>The most bytes of a snapshot or a patch: 64 to 16 MiB. Default 1 MiB.</summary>
    /// <remarks>The frame format of the server must carry so much as well (<c>PlayChatOptions.MaxFrameBytes</c>).</remarks>
    public int MaxMessageBytes { get; set; } = 1024 * 1024;

    /// <summary>The most objects in the state, the root included: 1 to 1,048,576. Default 65,536.</summary>
    public int MaxObjects { get; set; } = 65_536;

    /// <summary>The most items of all lists and maps together: 1 to 16,777,216. Default 1,048,576.</summary>
    public int MaxItems { get; set; } = 1024 * 1024;

    /// <summary>The most bytes of one string in UTF-8: 1 to 1 MiB. Default 65,536.</summary>
    public int MaxTextBytes { get; set; } = 65_536;

    /// <summary>The most characters of all strings together, at a client: 1 to 1,073,741,824. Default 16,777,216.</summary>
    public int MaxTotalText { get; set; } = 16 * 1024 * 1024;

    /// <summary>How deep objects may lie in objects, the root included: 1 to 64. Default 16.</summary>
    public int MaxDepth { get; set; } = 16;

    /// <summary>Copies the limits, so that later changes have no effect.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A limit is out of range.</exception>
    internal StateLimits Checked()
    {
        Check(MaxMessageBytes, 64, 16 * 1024 * 1024, nameof(MaxMessageBytes));
        Check(MaxObjects, 1, 1024 * 1024, nameof(MaxObjects));
        Check(MaxItems, 1, 16 * 1024 * 1024, nameof(MaxItems));
        Check(MaxTextBytes, 1, 1024 * 1024, nameof(MaxTextBytes));
        Check(MaxTotalText, 1, 1024 * 1024 * 1024, nameof(MaxTotalText));
        Check(MaxDepth, 1, 64, nameof(MaxDepth));
        return (StateLimits)MemberwiseClone();
    }

    private static void Check(int value, int min, int max, string name)
    {
        if (value < min || value > max)
        {
            throw new ArgumentOutOfRangeException(name, value, $"The limit is {min} to {max}.");
        }
    }
}
