using PlayChat.Protocol;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.AttackTests.Harness;

/// <summary>Clients that mean no harm.</summary>
internal static class Ordinary
{
    /// <summary>Connects and logs in. Waits with the hang guard.</summary>
    public static async Task<ChatClient> LoginAsync(ServerProcess server, string name, TestCertificate? certificate = null)
    {
        var options = new ChatClientOptions
        {
            RequestTimeout = TestTimeouts.Hang,
            ConnectTimeout = TestTimeouts.Hang,
            LoginTimeout = TestTimeouts.Hang,
            Reconnect = false,
            UseTls = certificate is not null,
            TlsCertificateValidation = certificate is null ? null : certificate.IsMine,
        };
        ChatClient client = await ChatClient.ConnectAsync(certificate is null ? "127.0.0.1" : "localhost", server.Port, options);
        try
        {
            await client.LoginAsync(name);
            return client;
        }
        catch
        {
            await client.DisposeAsync();
            throw;
        }
    }
}
