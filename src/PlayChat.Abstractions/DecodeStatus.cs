namespace PlayChat.Core.Framing;

/// <summary>The result of decoding the front of the received bytes. Invalid bytes of a peer never cause an exception.</summary>
public enum DecodeStatus
{
    /// <summary>The bytes begin with a whole frame.</summary>
    Frame = 0,

    /// <summary>The bytes may be the start of a frame; more bytes decide.</summary>
    NeedMoreData = 1,

    /// <summary>The frame is, or must become, larger than the format's limit. The rest of the stream is unreadable.</summary>
    TooLarge = 2,

    /// <summary>The bytes break the format's rules. The rest of the stream is unreadable.</summary>
    Malformed = 3,
}
