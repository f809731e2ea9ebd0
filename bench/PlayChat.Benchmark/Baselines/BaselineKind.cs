namespace PlayChat.Benchmark.Baselines;

/// <summary>A server that PlayChat is compared with.</summary>
/// <param name="Name">Its name on the command line.</param>
/// <param name="Modes">Its modes, as the command line names them: echo, broadcast, classroom, chat.</param>
/// <param name="StartAsync">Starts it; throws <see cref="System.Net.Sockets.SocketException"/> when the port is in use.</param>
internal sealed record BaselineKind(
    string Name, IReadOnlyList<string> Modes, Func<BaselineSettings, Task<IBaselineServer>> StartAsync);
