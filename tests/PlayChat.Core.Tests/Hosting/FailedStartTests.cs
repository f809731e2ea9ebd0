using System.Net;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class FailedStartTests : IDisposable
{
    private readonly RecordingLogger _log = new();

    // The tests of this class change it, one after the other.
    public void Dispose() => Environment.ExitCode = 0;

    [Fact]
    public async Task A_port_in_use_is_one_line_and_ends_the_host_with_exit_code_1()
    {
        await using TransportListener taken = TakePort();
        using IHost host = Build(taken.EndPoint.ToString()!);

        await host.RunAsync().WaitAsync(TestTimeouts.Hang);

        (LogLevel level, _, string text) = Assert.Single(_log.Entries, static entry => entry.Level >= LogLevel.Warning);
        Assert.Equal(LogLevel.Critical, level);
        Assert.StartsWith(
            $"The server cannot start. Cannot listen on {taken.EndPoint}: the port is in use", text, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', text);
        Assert.Equal(1, Environment.ExitCode);
    }

    [Fact]
    public async Task A_misspelled_key_is_one_line_and_ends_the_host_with_exit_code_1()
    {
        using IHost host = Build("127.0.0.1:0", "PlayChat:Sessions:IdleTimeot");

        await host.RunAsync().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(
            "The server cannot start. There is no key PlayChat:Sessions:IdleTimeot; did you mean PlayChat:Sessions:IdleTimeout?",
            Assert.Single(_log.Entries, static entry => entry.Level >= LogLevel.Warning).Text);
        Assert.Equal(1, Environment.ExitCode);
    }

    [Fact]
    public async Task A_host_that_reports_it_itself_gets_the_exception()
    {
        await using TransportListener taken = TakePort();
        using IHost host = Build(taken.EndPoint.ToString()!, throwOnFailedStart: true);

        await Assert.ThrowsAsync<ListenFailedException>(() => host.StartAsync());

        Assert.Equal(0, Environment.ExitCode);
    }

    private static TransportListener TakePort() =>
        SocketTransport.Instance.Listen(new IPEndPoint(IPAddress.Loopback, 0), new TransportOptions());

    private IHost Build(string address, string otherKey = "PlayChat:Sessions:IdleTimeout", bool throwOnFailedStart = false)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddInMemoryCollection([new("PlayChat:Endpoints:0:Address", address), new(otherKey, "00:01:00")]);
        builder.Services.AddSingleton<ILoggerFactory>(_log);
        builder.Services.AddPlayChat(
            static server => server.OnFrame(static (_, _) => { }), builder.Configuration.GetSection("PlayChat"), throwOnFailedStart);
        return builder.Build();
    }
}
