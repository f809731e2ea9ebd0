namespace PlayChat.Core.Connections;

/// <summary>The stages of a connection's life. The value only rises.</summary>
internal enum ConnectionState
{
    Open, // frames are handled and sent
    Closing, // the connection handles and accepts no more frames; queued frames are delivered
    Ended, // nothing more is sent; queued frames are dropped
}
