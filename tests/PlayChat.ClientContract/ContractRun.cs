namespace PlayChat.ClientContract;

/// <summary>The addresses of two servers: <c>tests/PlayChat.GameServer</c>, and the same that keeps nothing for clients that are away and
/// asks silent ones soon.</summary>
/// <param name="Addresses">By scheme.</param>
/// <param name="Forgetful">By scheme.</param>
internal sealed record ContractServers(IReadOnlyDictionary<string, string> Addresses, IReadOnlyDictionary<string, string> Forgetful);

/// <summary>One run of a statement: a client's kind, the servers, and what is disposed at its end.</summary>
internal sealed class ContractRun(IContractSubject subject, ContractServers servers, string scheme) : IAsyncDisposable
{
    // A guard, not a measure.
    private static readonly TimeSpan s_hang = TimeSpan.FromMinutes(1);

    private readonly List<IContractClient> _clients = new();
    private readonly List<IDisposable> _others = new();

    public IContractSubject Subject => subject;

    /// <summary>Whether the server tells a client also why the application closes; over TCP it tells only its own reasons.</summary>
    public bool TellsAllReasons => scheme == "ws";

    public string Address => servers.Addresses[scheme];

    public string Forgetful => servers.Forgetful[scheme];

    /// <summary>Where a plain socket is a client.</summary>
    public string ForgetfulTcp => servers.Forgetful["tcp"];

    public string Secure => servers.Addresses[scheme == "tcp" ? "tls" : "wss"];

    public IContractClient Make(ContractSettings? settings = null, string? address = null)
    {
        IContractClient client = subject.Create(address ?? Address, settings ?? new ContractSettings());
        _clients.Add(client);
        return client;
    }

    public async Task<IContractClient> ConnectedAsync(ContractSettings? settings = null, string? address = null)
    {
        IContractClient client = Make(settings, address);
        await Soon(client.ConnectAsync()).ConfigureAwait(false);
        return client;
    }

    /// <summary>A proxy in front of a server.</summary>
    public (CuttingProxy Proxy, string Address) Through(string address)
    {
        var uri = new Uri(address);
        var proxy = new CuttingProxy(uri.Port);
        _others.Add(proxy);
        return (proxy, new UriBuilder(uri) { Port = proxy.Port }.Uri.ToString());
    }

    /// <summary>A server that sends these bytes to its first client, and then nothing.</summary>
    public string Hostile(byte[] bytes)
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        _others.Add(new Stop(listener));
        _ = SendAsync();
        return $"tcp://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}";

        async Task SendAsync()
        {
            TcpClient client = await listener.AcceptTcpClientAsync().ConfigureAwait(false);
            lock (_others)
            {
                _others.Add(client);
            }

            await client.GetStream().WriteAsync(bytes, 0, bytes.Length).ConfigureAwait(false);
        }
    }

    public static async Task<T> Soon<T>(Task<T> task)
    {
        await Soon((Task)task).ConfigureAwait(false);
        return await task.ConfigureAwait(false);
    }

    public static async Task Soon(Task task)
    {
        if (await Task.WhenAny(task, Task.Delay(s_hang)).ConfigureAwait(false) != task)
        {
            throw new TimeoutException("It has not happened within a minute.");
        }

        await task.ConfigureAwait(false);
    }

    /// <summary>Expects an exception.</summary>
    public static async Task<TException> Throws<TException>(Task task)
        where TException : Exception
    {
        try
        {
            await Soon(task).ConfigureAwait(false);
        }
        catch (TException e)
        {
            return e;
        }

        throw new InvalidOperationException($"There was no {typeof(TException).Name}.");
    }

    public static void Equal<T>(T expected, T actual)
    {
        static string Text(object? value) =>
            value is System.Collections.IEnumerable many and not string ? $"[{string.Join(", ", many.Cast<object>())}]" : $"{value}";
        if (Text(expected) != Text(actual))
        {
            throw new InvalidOperationException($"Expected {Text(expected)}, but it is {Text(actual)}.");
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (IContractClient client in _clients)
        {
            await Soon(client.DisposeAsync().AsTask()).ConfigureAwait(false);
        }

        lock (_others)
        {
            _others.ForEach(static other => other.Dispose());
        }
    }

    private sealed class Stop(TcpListener listener) : IDisposable
    {
        public void Dispose() => listener.Stop();
    }
}
