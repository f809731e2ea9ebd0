namespace PlayChat.Simulation;

/// <summary>How a server's end of a link tells that there is something to receive.</summary>
internal enum Readiness
{
    /// <summary>Only a receive tells, as with the runtime's sockets.</summary>
    Receive,

    /// <summary>A wait tells.</summary>
    Wait,

    /// <summary>The link calls the reader, as an event loop does.</summary>
    Reader,
}
