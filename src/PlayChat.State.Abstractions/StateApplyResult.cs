namespace PlayChat.State;

/// <summary>What became of a message that a client was given.</summary>
public enum StateApplyResult
{
    /// <summary>The state has the message's revision now.</summary>
    Applied,

    /// <summary>
    /// A patch that does not fit what the client has, for example after a break of the connection. The state is unchanged. A snapshot or a
    /// patch that fits follows.
    /// </summary>
    Ignored,

    /// <summary>
    /// The message is invalid or exceeds <see cref="StateLimits"/>. The state may be changed in part, and patches are ignored until the
    /// next snapshot. Close the connection.
    /// </summary>
    Malformed,
}
