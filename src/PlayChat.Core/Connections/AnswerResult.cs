namespace PlayChat.Core.Connections;

/// <summary>What a frame is to the requests of a connection.</summary>
internal enum AnswerResult
{
    NoAnswer, // a frame of the peer's own, for the handler
    Taken, // an answer that its request has taken
    Dropped, // an answer that no request awaits, or awaits any more
    TooMany, // the same, and one more in a row than may come without being asked for
}
