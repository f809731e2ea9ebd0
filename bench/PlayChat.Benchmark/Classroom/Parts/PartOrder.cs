using PlayChat.Benchmark.Fanout;

namespace PlayChat.Benchmark.Classroom.Parts;

/// <summary>What a client process is told when it starts.</summary>
/// <param name="Host">The server.</param>
/// <param name="Port">Its port.</param>
/// <param name="Clients">Connections of all processes that send.</param>
/// <param name="MessagesPerSecond">Of each connection.</param>
/// <param name="ObserverMessagesPerSecond">Of the observer; 0: there is none.</param>
/// <param name="Mix">The lengths of the payloads.</param>
/// <param name="Seed">Makes phases, sizes and payloads.</param>
/// <param name="First">The first connection of this process.</param>
/// <param name="Own">The number of its connections.</param>
/// <param name="ConnectAtOnce">How many of them are made at once.</param>
/// <param name="LateMilliseconds">When a delivery is late.</param>
/// <param name="Transport">auto, linux or sockets.</param>
/// <param name="LoadThreads">The threads that move bytes; 0 leaves them to the runtime.</param>
/// <param name="SourceAddresses">The addresses that the connections come from; 0 leaves them to the system.</param>
internal sealed record PartOrder(
    string Host,
    int Port,
    int Clients,
    double MessagesPerSecond,
    double ObserverMessagesPerSecond,
    string Mix,
    int Seed,
    int First,
    int Own,
    int ConnectAtOnce,
    double LateMilliseconds,
    string Transport,
    int LoadThreads,
    int SourceAddresses)
{
    /// <summary>The load of the process.</summary>
    public ClassroomSettings ToSettings() => new(Clients, Rooms: 1, MessagesPerSecond, PayloadMix.Parse(Mix), Seed)
    {
        ObserverMessagesPerSecond = ObserverMessagesPerSecond,
        First = First,
        Own = Own,
        ConnectAtOnce = ConnectAtOnce,
        Late = TimeSpan.FromMilliseconds(LateMilliseconds),
    };
}
