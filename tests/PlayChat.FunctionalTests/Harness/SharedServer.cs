using PlayChat.FunctionalTests.Harness;
using PlayChat.TestUtilities.Processes;

[assembly: AssemblyFixture(typeof(SharedServer))]

namespace PlayChat.FunctionalTests.Harness;

/// <summary>A chat server with its defaults, for all tests that get along with others: each with player and room names of its
/// own.</summary>
public sealed class SharedServer : IAsyncLifetime
{
    private ServerProcess? _process;

    public ServerProcess Process => _process ?? throw new InvalidOperationException("The server has not been started.");

    public async ValueTask InitializeAsync() => _process = await ServerProcess.StartAsync();

    public async ValueTask DisposeAsync()
    {
        if (_process is not null)
        {
            await _process.DisposeAsync();
        }
    }
}
