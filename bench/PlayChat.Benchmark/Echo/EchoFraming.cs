namespace PlayChat.Benchmark.Echo;

/// <summary>How echo requests look on the wire.</summary>
internal enum EchoFraming
{
    /// <summary>C_ECHO_REQ and S_ECHO_RES of the chat protocol, with request ids, after a login.</summary>
    Packet,

    /// <summary>
    /// The same packets on the wire, but each answer is awaited by <see cref="Core.Dispatch.PacketSending.RequestAsync{TResponse}"/>.
    /// </summary>
    Request,

    /// <summary>Four bytes big-endian length and the payload: the server's echo mode.</summary>
    Length4,

    /// <summary>Two bytes big-endian length and the payload.</summary>
    Length2,
}
