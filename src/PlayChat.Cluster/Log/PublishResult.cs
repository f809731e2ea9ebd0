namespace PlayChat.Cluster.Log;

/// <summary>The result of <see cref="IRoomBackplane.Publish"/>.</summary>
public enum PublishResult
{
    /// <summary>The record is queued. It is in the log once the publisher reads it back; until then its fate is unknown.</summary>
    Accepted = 0,

    /// <summary>Refused, because <see cref="BackplaneOptions.PendingBytes"/> wait already. It is not published later.</summary>
    Full = 1,

    /// <summary>Refused, because <see cref="IRoomBackplane.State"/> is not <see cref="BackplaneState.Up"/>. It is not published
    /// later.</summary>
    Unavailable = 2,

    /// <summary>Refused, because the body is longer than <see cref="BackplaneOptions.MaxBodyBytes"/>.</summary>
    TooLarge = 3,
}
