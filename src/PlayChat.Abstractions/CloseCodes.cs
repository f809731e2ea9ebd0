namespace PlayChat.Core;

/// <summary>The numbers that tell a client why the server closes: in a WebSocket close frame, and in a close notice over TCP.</summary>
internal static class CloseCodes
{
    /// <summary>The code of a close that needs no reason.</summary>
    internal const ushort Normal = 1000;

    /// <summary>A <see cref="CloseReason"/> has this code and its own number.</summary>
    internal const ushort FirstReason = 4000;

    internal const ushort ProtocolError = 1002;
    internal const ushort WrongType = 1003;
    internal const ushort BadText = 1007;
    internal const ushort TooLarge = 1009;

    /// <summary>The code of a reason.</summary>
    internal static ushort CodeOf(CloseReason reason) => reason == CloseReason.None ? Normal : (ushort)(FirstReason + (int)reason);

    /// <summary>The reason that a server's code stands for, as the client's connection has it.</summary>
    internal static CloseReason ReasonOf(int code) => code switch
    {
        > FirstReason when Enum.IsDefined(typeof(CloseReason), code - FirstReason) => (CloseReason)(code - FirstReason),
        ProtocolError or WrongType or BadText => CloseReason.ProtocolViolation,
        TooLarge => CloseReason.FrameTooLarge,
        _ => CloseReason.PeerClosed,
    };
}
