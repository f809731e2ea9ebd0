using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>Clients of a server under test.</summary>
internal static class Players
{
    // Far longer than anything takes on a loaded machine, like the hang guard.
    // And on one connection: its end is what most tests look at.
    private static readonly ChatClientOptions s_patient =
        new() { RequestTimeout = TestTimeouts.Hang, ConnectTimeout = TestTimeouts.Hang, Reconnect = false };

    /// <summary>Connects without logging in.</summary>
    public static Task<ChatClient> ConnectAsync(ServerProcess server) => ChatClient.ConnectAsync("127.0.0.1", server.Port, s_patient);

    /// <summary>Connects and logs in.</summary>
    public static async Task<ChatClient> LoginAsync(ServerProcess server, string name, string? password = null)
    {
        ChatClient client = await ConnectAsync(server);
        await client.LoginAsync(name, password);
        return client;
    }

    /// <summary>Connects many clients at once, which share a connector and have not logged in.</summary>
    public static ChatConnector Connector(ServerProcess server) => new("127.0.0.1", server.Port, s_patient);
}
