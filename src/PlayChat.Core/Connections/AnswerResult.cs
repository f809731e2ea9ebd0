namespace PlayChat.Core.Connections;

/// <summary>What a frame is to the requests of a connection.</summary>
internal enum AnswerResult
{
    /// <summary>A frame of the peer's own, for the handler.</summary>
    NoAnswer,

    /// <summary>An answer that its request has taken.</summary>
    Taken,

    /// <summary>An answer that no request awaits, or awaits any more.</summary>
    Dropped,

    /// <summary>The same, and one more in a row than may come without being asked for.</summary>
    TooMany,
}
