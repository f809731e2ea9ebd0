using System.Net;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PlayChat.Chat;
using PlayChat.Core.Hosting;
using PlayChat.Protocol;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Client.Tests;

/// <summary>The chat server in this process, with a folder of its own for its files. Its rooms last.</summary>
internal sealed class RealServer : IAsyncDisposable
{
    private readonly TemporaryDirectory _folder = new();
    private readonly IHost _host;

    private RealServer(TimeProvider time)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(
        [
            new("Chat:PlayChat:Endpoints:0:Address", "127.0.0.1:0"),
            new("Chat:Storage:Path", Path.Combine(_folder.Path, "chat.db")),
            new("Chat:ChatLog:Directory", ""),
            new("Chat:ChatLog:SpillFile", ""),
            new("Chat:Accounts:PasswordIterations", "1000"),
            .. ServerProcess.Unlimited.Select(static option => option[2..].Split('='))
                .Select(static option => KeyValuePair.Create<string, string?>("Chat:" + option[0], option[1])),
        ]);
        builder.Services.AddSingleton(time);
        builder.Services.AddChat(
            builder.Configuration.GetSection("Chat"), chat => chat.ConfigureServer(server => server.UseTime(time)));
        _host = builder.Build();
    }

    public int Port => ((IPEndPoint)_host.Services.GetRequiredService<PlayChatServer>().EndPoints[0]).Port;

    /// <param name="time">The clock of all its deadlines.</param>
    public static async Task<RealServer> StartAsync(TimeProvider time)
    {
        var server = new RealServer(time);
        await server._host.StartAsync().WaitAsync(TestTimeouts.Hang);
        return server;
    }

    /// <summary>Logs a player in on one more device.</summary>
    public async Task<ChatClient> LoginAsync(string name, bool keep = false)
    {
        ChatClient client = await ChatClient.ConnectAsync("127.0.0.1", Port);
        await client.LoginAsync(new CLoginReq { Name = name, Keep = keep });
        return client;
    }

    public async ValueTask DisposeAsync()
    {
        await _host.StopAsync().WaitAsync(TestTimeouts.Hang);
        _host.Dispose();
        _folder.Dispose();
    }
}
