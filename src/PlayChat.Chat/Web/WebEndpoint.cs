using System.Net.Sockets;
using PlayChat.Addresses;
using PlayChat.Core.WebSockets;

namespace PlayChat.Chat.Web;

/// <summary>The endpoint for browsers, beside those of the configuration.</summary>
internal sealed class WebEndpoint(ServerSettings settings, PassedSockets? passed = null)
{
    // The chat page: the files of Web/wwwroot, which are part of the program.
    private static readonly Lazy<WebContent> s_page = new(LoadPage);

    private EndpointOptions? _endpoint;

    /// <summary>The port, if another program uses it and the server therefore runs without the endpoint.</summary>
    public int? TakenPort { get; private set; }

    public static bool HasCertificate(EndpointOptions endpoint) =>
        endpoint.Tls.Certificate is not null || !string.IsNullOrEmpty(endpoint.Tls.CertificatePath);

    /// <summary>Adds the endpoint where it is wanted, and the page to every endpoint that speaks WebSocket.</summary>
    public void AddTo(PlayChatOptions options)
    {
        if (options.Endpoints.Count > 0 && IsWanted(options.Endpoints[0]))
        {
            Add(options);
        }

        if (settings.Mode == ServerMode.Chat)
        {
            foreach (EndpointOptions endpoint in options.Endpoints.Where(static endpoint => endpoint.WebSocket.Enabled))
            {
                endpoint.WebSocket.Content ??= s_page.Value;
            }
        }
    }

    /// <summary>Whether an endpoint is the one for browsers that <see cref="AddTo"/> has added.</summary>
    public bool Is(EndpointOptions endpoint) => endpoint == _endpoint;

    /// <summary>The address to open in a browser; <see langword="null"/> if there is none.</summary>
    public string? AddressOf(PlayChatServer server)
    {
        if (_endpoint is null || settings.Mode != ServerMode.Chat
            || server.EndPoints[server.Options.Endpoints.IndexOf(_endpoint)] is not IPEndPoint bound)
        {
            return null;
        }

        bool isEveryAddress = bound.Address.Equals(IPAddress.Any) || bound.Address.Equals(IPAddress.IPv6Any);
        var shown = new IPEndPoint(isEveryAddress ? IPAddress.Loopback : bound.Address, bound.Port);
        string scheme = HasCertificate(_endpoint) ? "https" : "http";
        return $"{scheme}://{shown}/";
    }

    private bool IsWanted(EndpointOptions first) => settings.Web.Enabled switch
    {
        AutoSwitch.True => true,
        AutoSwitch.False => false,
        _ => settings.Mode == ServerMode.Chat && IPEndPoint.TryParse(Resolve(first.Address), out IPEndPoint? address)
            && IPAddress.IsLoopback(address.Address) && address.Port != 0,
    };

    private void Add(PlayChatOptions options)
    {
        EndpointOptions first = options.Endpoints[0];
        string host = first.Address[..first.Address.LastIndexOf(':')];
        string address = string.Create(CultureInfo.InvariantCulture, $"{host}:{settings.Web.Port}");
        if (settings.Web.Enabled == AutoSwitch.Auto && passed?.Has(address) != true && IsTaken(address))
        {
            TakenPort = settings.Web.Port;
            return;
        }

        if (FindUser(address, options) is { } user)
        {
            throw new StartException(
                $"Web:Port is {settings.Web.Port}, which {user} has already; choose another port, or set Web:Enabled=false.");
        }

        _endpoint = options.ListenWebSocket(address);
        _endpoint.Tls = first.Tls;
        _endpoint.WebSocket.AllowedOrigins = settings.Web.AllowedOrigins;
        _endpoint.WebSocket.AllowedHosts = settings.Web.AllowedHosts;
        _endpoint.WebSocket.TrustedProxies = settings.Web.TrustedProxies;
        _endpoint.ProxyProtocol = settings.Web.ProxyProtocol;
    }

    /// <summary>The key of another address of the configuration that has the port; <see langword="null"/> if none has.</summary>
    private string? FindUser(string address, PlayChatOptions options)
    {
        for (int i = 0; i < options.Endpoints.Count; i++)
        {
            if (ListenAddress.Overlap(options.Endpoints[i].Address, address))
            {
                return $"PlayChat:Endpoints:{i}:Address";
            }
        }

        return settings.Operations.Enabled && ListenAddress.Overlap(settings.Operations.Address, address) ? "Operations:Address" : null;
    }

    private static string Resolve(string address) => address.Replace("localhost:", "127.0.0.1:", StringComparison.OrdinalIgnoreCase);

    private static bool IsTaken(string address)
    {
        try
        {
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            socket.Bind(IPEndPoint.Parse(Resolve(address)));
            return false;
        }
        catch (SocketException e)
        {
            return e.SocketErrorCode == SocketError.AddressAlreadyInUse; // another error is reported by the start of the endpoint
        }
    }

    private static WebContent LoadPage()
    {
        var content = new WebContent();
        foreach ((string path, string type, byte[] body) in PageFiles.Read("wwwroot/"))
        {
            content.Add(path, type, body, PageFiles.Headers);
            if (path == "/index.html")
            {
                content.Add("/", type, body, PageFiles.Headers);
            }
        }

        return content;
    }
}
