namespace PlayChat.ClientContract;

/// <summary>A client under contract.</summary>
internal interface IContractClient : IAsyncDisposable
{
    /// <summary>Connects, and joins the lobby or a table if the settings have a name.</summary>
    Task ConnectAsync();

    bool Send<TMessage>(TMessage message);

    Task<TResponse> RequestAsync<TResponse>(
        object request, TimeSpan? timeout = null, CancellationToken cancellationToken = default);

    /// <summary>Before <see cref="ConnectAsync"/>.</summary>
    void OnPacket<TMessage>(Action<TMessage> handler);

    /// <summary>Before <see cref="ConnectAsync"/>.</summary>
    void OnQuestion(Func<Question, Answer> handler);

    /// <summary>Why the connection broke, before each attempt to return.</summary>
    event Action<CloseReason>? Broke;

    /// <summary>Whether nothing is missing, after each return.</summary>
    event Action<bool>? Returned;

    /// <summary>How the session ended.</summary>
    Task<CloseReason> Ended { get; }
}

/// <summary>What a statement asks of a client.</summary>
/// <param name="Name">Joins the lobby, and comes back to it after a break.</param>
/// <param name="Accepts">What the callback for the server's certificate returns; none: there is no callback.</param>
/// <param name="KeepAlive">When silence is noticed, if the client can.</param>
/// <param name="Seat">Joins this table in place of the lobby.</param>
internal sealed record ContractSettings(
    string? Name = null, bool? Accepts = null, TimeSpan? KeepAlive = null, ContractSeat? Seat = null);

/// <summary>A table, and the copy of its board that the client keeps.</summary>
internal sealed record ContractSeat(string Table, StateReplica<Board> Board);

/// <summary>A kind of client.</summary>
internal interface IContractSubject
{
    string Name { get; }

    /// <summary>Whether it notices by itself that a server has fallen silent.</summary>
    bool NoticesSilence { get; }

    /// <summary>Whether requests that are made during a break wait for the next connection.</summary>
    bool HoldsRequests { get; }

    /// <summary>Whether it tells of a return before it handles what was missed.</summary>
    bool EntersFirst { get; }

    IContractClient Create(string address, ContractSettings settings);
}
