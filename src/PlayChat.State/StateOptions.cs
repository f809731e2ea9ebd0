namespace PlayChat.State;

/// <summary>Options of a <see cref="StateSync{TState}"/>.</summary>
public sealed class StateOptions
{
    /// <summary>The id of the packets that carry the state: 0 to 65,534. Clients know it, and no other packet has it.</summary>
    public required ushort PacketId { get; init; }

    /// <summary>Bounds of the state.</summary>
    public StateLimits Limits { get; init; } = new();

    /// <summary>
    /// A member for which more bytes wait than this is behind: it gets no patches. When fewer wait, it gets one patch with all that it has
    /// missed, or a snapshot. 0 to 64 MiB. Default 16 KiB.
    /// </summary>
    public int MaxWaitingBytes { get; init; } = 16 * 1024;
}
