namespace PlayChat.Core.Framing;

/// <summary>What a codec found at the front of the bytes it was given. What a peer sends is never an exception.</summary>
public enum DecodeStatus
{
    /// <summary>A whole frame is there.</summary>
    Frame = 0,

    /// <summary>What is there may be the start of a frame; more bytes decide.</summary>
    NeedMoreData = 1,

    /// <summary>The frame is, or must become, larger than the format's limit. The rest of the stream is unreadable.</summary>
    TooLarge = 2,

    /// <summary>The bytes break the format's rules. The rest of the stream is unreadable.</summary>
    Malformed = 3,
}
