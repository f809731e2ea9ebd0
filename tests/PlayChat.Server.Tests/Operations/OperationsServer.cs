using PlayChat.Chat.Operations;
using PlayChat.Server.Tests.Chat;

namespace PlayChat.Server.Tests.Operations;

/// <summary>Starts servers with an operations endpoint on a free port, and clients of it.</summary>
internal static class OperationsServer
{
    public static Task<TestServer> StartAsync(params string[] args) =>
        TestServer.StartAsync(["--Operations:Enabled=true", "--Operations:Address=127.0.0.1:0", .. args]);

    public static HttpClient Http(this TestServer server) => new() { BaseAddress = server.Get<OperationsEndpoint>().Address };

    public static Uri Path(string path) => new(path, UriKind.Relative);
}
