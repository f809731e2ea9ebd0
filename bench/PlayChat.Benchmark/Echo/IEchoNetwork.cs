using PlayChat.Benchmark.Failures;
using PlayChat.Benchmark.Servers;

namespace PlayChat.Benchmark.Echo;

/// <summary>Makes connections of another protocol that awaits answers. Disposing it ends them.</summary>
internal interface IEchoNetwork : IAsyncDisposable
{
    /// <summary>Connects.</summary>
    /// <exception cref="UsageException">The connect failed.</exception>
    Task<AskingEchoLink> ConnectAsync(EchoLoad load, ServerAddress server, CancellationToken cancellationToken);
}
