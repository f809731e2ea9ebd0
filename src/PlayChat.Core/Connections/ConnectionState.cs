namespace PlayChat.Core.Connections;

/// <summary>The stages of a connection's life. The value only rises.</summary>
internal enum ConnectionState
{
    /// <summary>Frames are handled and sent.</summary>
    Open,

    /// <summary>No more frames are handled or taken to send; what is queued is delivered.</summary>
    Closing,

    /// <summary>Nothing is sent any more; what is queued is dropped.</summary>
    Ended,
}
