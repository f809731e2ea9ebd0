namespace PlayChat.Transport.Linux;

/// <summary>Settings of a <see cref="LinuxTransport"/>. Set them before you make the transport.</summary>
public sealed class LinuxTransportOptions
{
    /// <summary>The number of event loops, each with a thread, 0–1,024. Default 0: one per processor that the process may use.</summary>
    public int Loops { get; set; }

    /// <summary>
    /// The addresses of this machine from which clients connect, in turn. A client with several can make more connections to one server
    /// than an address has ports. Default empty: the system chooses. A server does not use them.
    /// </summary>
    /// <remarks>
    /// An address that is not this machine's, or not of the server's family, fails the connect with
    /// <see cref="Core.Transport.ConnectFailedException"/>.
    /// </remarks>
    public IReadOnlyList<IPAddress> SourceAddresses { get; set; } = [];
}
