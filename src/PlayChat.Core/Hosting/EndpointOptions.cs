using PlayChat.Addresses;
using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Hosting;

/// <summary>One address that a server listens on. Set before start.</summary>
public sealed class EndpointOptions
{
    private const string AddressForm = "ADDRESS:PORT such as 127.0.0.1:7777, 0.0.0.0:7777, [::1]:7777 or *:7777";

    /// <summary>
    /// <c>ADDRESS:PORT</c>: an IPv4 address, an IPv6 address in brackets, <c>localhost</c> or <c>*</c> (every address, IPv4 and IPv6), and
    /// a port, where 0 takes a free one.
    /// </summary>
    [Option(
        "Address that the server listens on; port 0 takes a free one. Further endpoints are 1, 2, ….",
        Allowed = AddressForm,
        Required = true)]
    public string Address { get; set; } = "127.0.0.1:7777";

    /// <summary>Encrypts the links of this endpoint when its certificate is set. Default none.</summary>
    public TlsOptions Tls { get; set; } = new();

    /// <summary>Behind a proxy, takes the addresses of clients from the PROXY protocol. Default off.</summary>
    public ProxyProtocolOptions ProxyProtocol { get; set; } = new();

    /// <summary>Makes the clients of this endpoint speak WebSocket instead of TCP. Default off.</summary>
    public WebSocketOptions WebSocket { get; set; } = new();

    /// <summary>How this endpoint's bytes are moved; <see langword="null"/> for the server's own way.</summary>
    internal ITransport? Transport { get; private set; }

    /// <summary>The socket to listen on; <see langword="null"/> to bind <see cref="Address"/>.</summary>
    internal DescriptorEndPoint? Inherited { get; private set; }

    /// <summary>
    /// Moves this endpoint's bytes in a way of its own. Default the server's, see <see cref="PlayChatServer.UseTransport"/>.
    /// </summary>
    public EndpointOptions UseTransport(ITransport transport)
    {
        ArgumentNullException.ThrowIfNull(transport);
        Transport = transport;
        return this;
    }

    /// <summary>
    /// Listens on a TCP socket that another process has bound and passed to this one, instead of binding <see cref="Address"/>. Linux only.
    /// Such a process keeps the socket while this one restarts, so a restart refuses no connection.
    /// </summary>
    /// <remarks>
    /// The server uses the descriptor for one start and closes it when it stops. If the start fails before the endpoint listens, the
    /// descriptor stays open and remains the caller's. The rest of this endpoint's options apply as usual; the backlog is that of the
    /// process that made the socket.
    /// </remarks>
    /// <param name="descriptor">A listening IPv4 or IPv6 socket of this process, at least 0. Passed sockets begin at 3.</param>
    /// <exception cref="ArgumentOutOfRangeException">The descriptor is negative.</exception>
    public EndpointOptions UseDescriptor(int descriptor)
    {
        Inherited = new DescriptorEndPoint(descriptor);
        return this;
    }

    /// <summary>Whether the system would refuse to listen on both addresses.</summary>
    internal bool Overlaps(EndpointOptions other) =>
        Transport == other.Transport && Inherited is null && other.Inherited is null && ListenAddress.Overlap(Address, other.Address);

    /// <summary>The configuration key of an endpoint's TLS.</summary>
    internal static string TlsPath(string optionsPath, int number) =>
        $"{optionsPath}:{nameof(PlayChatOptions.Endpoints)}:{number}:{nameof(Tls)}";

    internal IEnumerable<string> Validate(string path, bool isTlsChecked = false)
    {
        List<string> problems = [];
        if (!ListenAddress.TryParse(Address, out _))
        {
            problems.Add($"{path}:{nameof(Address)} is '{Address}'; allowed is {AddressForm}.");
        }

        if (!isTlsChecked)
        {
            problems.AddRange(Tls.Validate($"{path}:{nameof(Tls)}"));
        }

        problems.AddRange(WebSocket.Validate($"{path}:{nameof(WebSocket)}"));
        problems.AddRange(ProxyProtocol.Validate($"{path}:{nameof(ProxyProtocol)}"));
        return problems;
    }
}
