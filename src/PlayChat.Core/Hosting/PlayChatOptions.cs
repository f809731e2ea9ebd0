using PlayChat.Core.Rooms;

namespace PlayChat.Core.Hosting;

/// <summary>All settings of a server; every limit is one of them. Set before start, checked once when the server starts.</summary>
public sealed class PlayChatOptions
{
    /// <summary>The addresses that the server listens on; at least one.</summary>
    public IList<EndpointOptions> Endpoints { get; } = [];

    /// <summary>Settings of the sockets.</summary>
    public TransportOptions Transport { get; set; } = new();

    /// <summary>Bounds of one connection, and how many there may be.</summary>
    public ConnectionOptions Connections { get; set; } = new();

    /// <summary>Deadlines of sessions.</summary>
    public SessionOptions Sessions { get; set; } = new();

    /// <summary>Bounds of rooms.</summary>
    public RoomOptions Rooms { get; set; } = new();

    /// <summary>How long a stopping server waits for its rooms and connections before it aborts the remaining ones.</summary>
    /// <remarks>
    /// After that its handlers have five more seconds to return, and then its rooms as long to end with <see cref="Room.OnDispose"/>.
    /// </remarks>
    [Option(
        "How long a stopping server waits for its rooms and connections.",
        Min = "00:00:00",
        Max = "00:10:00",
        WhenReached = "The remaining connections are aborted. Handlers have 5 more seconds to return, then rooms as long to end "
            + "(`OnDispose`).",
        SeenIn = "the log: \"The drain took too long\"")]
    public TimeSpan StopTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Adds an endpoint.</summary>
    /// <param name="address">See <see cref="EndpointOptions.Address"/>.</param>
    /// <returns>The endpoint, for its other settings.</returns>
    public EndpointOptions ListenTcp(string address)
    {
        ArgumentException.ThrowIfNullOrEmpty(address);
        var endpoint = new EndpointOptions { Address = address };
        Endpoints.Add(endpoint);
        return endpoint;
    }

    /// <summary>Adds an endpoint whose clients speak WebSocket.</summary>
    /// <param name="address">See <see cref="EndpointOptions.Address"/>.</param>
    /// <returns>
    /// The endpoint, for its other settings: path and origins in <see cref="EndpointOptions.WebSocket"/>, and wss by
    /// <see cref="EndpointOptions.Tls"/>.
    /// </returns>
    public EndpointOptions ListenWebSocket(string address)
    {
        EndpointOptions endpoint = ListenTcp(address);
        endpoint.WebSocket.Enabled = true;
        return endpoint;
    }

    /// <summary>Checks all settings.</summary>
    /// <param name="path">The configuration section they come from, to name keys in full. Default <c>PlayChat</c>.</param>
    /// <param name="isHosted">Whether links of other servers are served, so that the server needs no endpoint of its own.</param>
    /// <exception cref="OptionsException">An option is invalid. The message names all invalid options.</exception>
    internal void Validate(string path = "PlayChat", bool isHosted = false)
    {
        List<string> problems = [];
        if (Endpoints.Count == 0 && !isHosted)
        {
            string key = $"{path}:{nameof(Endpoints)}";
            problems.Add($"{key} is empty; give at least one, such as {key}:0:Address=127.0.0.1:7777.");
        }

        for (int i = 0; i < Endpoints.Count; i++)
        {
            // Endpoints that share one TLS name its key once: that of the first.
            bool isSharing = Endpoints.Take(i).Any(earlier => earlier.Tls == Endpoints[i].Tls);
            problems.AddRange(Endpoints[i].Validate($"{path}:{nameof(Endpoints)}:{i}", isSharing));
            if (Endpoints.Take(i).ToList().FindIndex(Endpoints[i].Overlaps) is var other and >= 0)
            {
                problems.Add(
                    $"{path}:{nameof(Endpoints)}:{i}:{nameof(EndpointOptions.Address)} is '{Endpoints[i].Address}', which "
                        + $"{path}:{nameof(Endpoints)}:{other} ('{Endpoints[other].Address}') has already; give each endpoint its own.");
            }
        }

        problems.AddRange(Transport.Validate($"{path}:{nameof(Transport)}"));
        problems.AddRange(Connections.Validate($"{path}:{nameof(Connections)}"));
        problems.AddRange(Sessions.Validate($"{path}:{nameof(Sessions)}"));
        problems.AddRange(Rooms.Validate($"{path}:{nameof(Rooms)}"));
        problems.AddRange(OptionRule.FindProblems(this, path + ":"));
        if (problems.Count > 0)
        {
            throw new OptionsException(problems);
        }
    }
}
