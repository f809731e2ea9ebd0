namespace PlayChat.Core.Connections;

/// <summary>The stages of a connection's life. The value only rises.</summary>
internal enum ConnectionState
{
    /// <summary>Frames are handled and sent.</summary>
    Open,

    /// <summary>The connection handles and accepts no more frames; queued frames are delivered.</summary>
    Closing,

    /// <summary>Nothing more is sent; queued frames are dropped.</summary>
    Ended,
}
