using System.Net;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class ServerTests
{
    [Fact]
    public async Task The_sample_of_the_README_echoes_until_it_is_stopped()
    {
        using var stop = new CancellationTokenSource();
        var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = new PlayChatServer(options => options.ListenTcp("127.0.0.1:0"))
            .UseFraming(FrameFormat.LengthPrefixed(maxFrameBytes: 64 * 1024))
            .OnFrame(static (connection, frame) => connection.Send(frame));
        server.OnStarting(_ => started.SetResult());

        Task running = server.RunAsync(stop.Token);
        await started.Task.WaitAsync(TestTimeouts.Hang);
        await Eventually.TrueAsync(() => server.EndPoints.Count == 1);
        byte[] answer = await EchoAsync(server.EndPoints[0], [1, 2, 3]);
        await stop.CancelAsync();

        Assert.Equal([1, 2, 3], answer);
        await running.WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_server_that_was_started_before_runs_until_it_is_stopped()
    {
        using var stop = new CancellationTokenSource();
        await using PlayChatServer server = Echo(static o => o.ListenTcp("127.0.0.1:0"));
        await server.StartAsync();

        Task running = server.RunAsync(stop.Token);
        byte[] answer = await EchoAsync(server.EndPoints[0], [1, 2, 3]);
        await stop.CancelAsync();
        await running.WaitAsync(TestTimeouts.Hang);

        Assert.Equal([1, 2, 3], answer);
        await Assert.ThrowsAsync<ConnectFailedException>(() => EchoAsync(server.EndPoints[0], [1]));
    }

    [Fact]
    public async Task A_server_listens_on_several_endpoints_and_port_0_becomes_a_number()
    {
        await using PlayChatServer server = Echo(o =>
        {
            o.ListenTcp("127.0.0.1:0");
            o.ListenTcp("127.0.0.1:0");
        });

        await server.StartAsync();

        int[] ports = [.. server.EndPoints.Select(static endPoint => ((IPEndPoint)endPoint).Port)];
        Assert.Equal(2, ports.Distinct().Count());
        Assert.DoesNotContain(0, ports);
        Assert.Equal([1], await EchoAsync(server.EndPoints[0], [1]));
        Assert.Equal([2], await EchoAsync(server.EndPoints[1], [2]));
    }

    [Fact]
    public async Task A_client_that_connects_before_OnBound_has_completed_is_served_afterwards()
    {
        var bound = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var announced = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        bool isServed = false;
        await using PlayChatServer server = Echo(static o => o.ListenTcp("127.0.0.1:0"));
        server.OnConnected(_ => isServed = true).OnBound(async _ =>
        {
            bound.SetResult();
            await announced.Task;
        });

        Task starting = server.StartAsync();
        await bound.Task.WaitAsync(TestTimeouts.Hang);
        Task<byte[]> answer = EchoAsync(server.EndPoints[0], [1]);
        Assert.False(isServed);
        announced.SetResult();

        await starting.WaitAsync(TestTimeouts.Hang);
        Assert.Equal([1], await answer);
    }

    [Fact]
    public async Task OnBound_does_not_run_when_an_address_is_in_use_and_when_it_fails_the_address_is_free()
    {
        await using PlayChatServer first = Echo(static o => o.ListenTcp("127.0.0.1:0"));
        await first.StartAsync();
        string address = first.EndPoints[0].ToString()!;
        bool isBound = false;
        await using PlayChatServer second = Echo(o => o.ListenTcp(address));
        second.OnBound(_ =>
        {
            isBound = true;
            return Task.CompletedTask;
        });
        await Assert.ThrowsAsync<ListenFailedException>(() => second.StartAsync());
        Assert.False(isBound);

        await first.StopAsync();
        await using PlayChatServer third = Echo(o => o.ListenTcp(address));
        third.OnBound(static _ => Task.FromException(new TimeoutException("The directory is away.")));
        await Assert.ThrowsAsync<TimeoutException>(() => third.StartAsync());
        await using PlayChatServer fourth = Echo(o => o.ListenTcp(address));
        await fourth.StartAsync();
    }

    [Fact]
    public async Task A_stop_during_the_start_ends_the_start_and_leaves_nothing_open()
    {
        var bound = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using PlayChatServer server = Echo(static o => o.ListenTcp("127.0.0.1:0"));
        server.OnBound(stop =>
        {
            bound.SetResult();
            return Task.Delay(Timeout.Infinite, stop);
        });
        Task starting = server.StartAsync();
        await bound.Task.WaitAsync(TestTimeouts.Hang);

        await server.StopAsync().WaitAsync(TestTimeouts.Hang);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => starting.WaitAsync(TestTimeouts.Hang));
        await using var connector = new PlayChatConnector(FrameFormat.Packet(), static (_, _) => { });
        await Assert.ThrowsAsync<ConnectFailedException>(() => connector.ConnectAsync(server.EndPoints[0]));
    }

    [Fact]
    public async Task RunAsync_returns_when_it_is_cancelled_during_the_start()
    {
        using var cancellation = new CancellationTokenSource();
        await using PlayChatServer server = Echo(static o => o.ListenTcp("127.0.0.1:0"));
        server.OnBound(async stop =>
        {
            await cancellation.CancelAsync();
            await Task.Delay(Timeout.Infinite, stop);
        });

        await server.RunAsync(cancellation.Token).WaitAsync(TestTimeouts.Hang);
    }

    [Fact]
    public async Task A_port_in_use_is_a_ListenFailedException_and_leaves_nothing_open()
    {
        await using PlayChatServer first = Echo(o => o.ListenTcp("127.0.0.1:0"));
        await first.StartAsync();
        int taken = ((IPEndPoint)first.EndPoints[0]).Port;
        await using PlayChatServer second = Echo(o =>
        {
            o.ListenTcp("127.0.0.1:0");
            o.ListenTcp($"127.0.0.1:{taken}");
        });

        ListenFailedException e = await Assert.ThrowsAsync<ListenFailedException>(() => second.StartAsync());

        Assert.Contains($"127.0.0.1:{taken}", e.Message, StringComparison.Ordinal);
        Assert.Contains("the port is in use", e.Message, StringComparison.Ordinal);
        await using var connector = new PlayChatConnector(FrameFormat.Packet(), static (_, _) => { });
        await Assert.ThrowsAsync<ConnectFailedException>(() => connector.ConnectAsync(second.EndPoints[0]));
    }

    [Fact]
    public async Task A_server_without_a_handler_or_with_two_or_that_is_started_twice_is_refused()
    {
        await using var bare = new PlayChatServer(static o => o.ListenTcp("127.0.0.1:0"));
        await using PlayChatServer server = Echo(static o => o.ListenTcp("127.0.0.1:0"));

        await Assert.ThrowsAsync<InvalidOperationException>(() => bare.StartAsync());
        Assert.Throws<InvalidOperationException>(() => server.OnPackets(static _ => { }));
        Assert.Throws<InvalidOperationException>(() => server.Sessions);
        await server.StartAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(() => server.StartAsync());
        Assert.Throws<InvalidOperationException>(() => server.OnConnected(static _ => { }));
    }

    [Fact]
    public async Task The_generic_host_starts_and_stops_a_server_with_its_configuration()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>(StringComparer.Ordinal)
        {
            ["PlayChat:Endpoints:0:Address"] = "127.0.0.1:0",
            ["PlayChat:Connections:MaxConnections"] = "7",
            ["PlayChat:Sessions:IdleTimeout"] = "00:01:30",
        });
        builder.Services.AddPlayChat(
            static server => server
                .UseFraming(FrameFormat.LengthPrefixed())
                .OnFrame(static (connection, frame) => connection.Send(in frame)),
            builder.Configuration.GetSection("PlayChat"));
        using IHost host = builder.Build();
        PlayChatServer server = host.Services.GetRequiredService<PlayChatServer>();

        await host.StartAsync();

        Assert.Equal(7, server.Options.Connections.MaxConnections);
        Assert.Equal(TimeSpan.FromSeconds(90), server.Options.Sessions.IdleTimeout);
        Assert.Equal([5], await EchoAsync(server.EndPoints[0], [5]));
        await host.StopAsync().WaitAsync(TestTimeouts.Hang);
        await using var connector = new PlayChatConnector(FrameFormat.Packet(), static (_, _) => { });
        await Assert.ThrowsAsync<ConnectFailedException>(() => connector.ConnectAsync(server.EndPoints[0]));
    }

    [Fact]
    public async Task A_configuration_that_is_no_number_is_an_OptionsException_that_names_the_key()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddInMemoryCollection(
            new Dictionary<string, string?>(StringComparer.Ordinal) { ["PlayChat:Connections:MaxConnections"] = "many" });
        builder.Services.AddPlayChat(static server => server.OnFrame(static (_, _) => { }), builder.Configuration.GetSection("PlayChat"));
        using IHost host = builder.Build();

        OptionsException e = await Assert.ThrowsAsync<OptionsException>(() => host.StartAsync());

        Assert.Contains("PlayChat:Connections:MaxConnections", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_OnConnected_handler_that_throws_costs_its_own_connection_alone()
    {
        int connected = 0;
        await using ServerHarness harness = await new ServerHarness().StartAsync(server => server
            .OnConnected(_ =>
            {
                if (Interlocked.Increment(ref connected) == 1)
                {
                    throw new InvalidOperationException("A handler's fault.");
                }
            })
            .OnFrame(static (connection, frame) => connection.Send(in frame)));

        TransportConnection first = await harness.ConnectOnlyAsync();
        Assert.Empty(await first.ReceiveToEndAsync());
        TransportConnection second = await harness.ConnectOnlyAsync();
        await second.SendAsync(ServerHarness.Frame(1));

        Assert.Equal(ServerHarness.Frame(1), await second.ReceiveAsync(5));
    }

    private static PlayChatServer Echo(Action<PlayChatOptions> configure) => new PlayChatServer(configure)
        .UseFraming(FrameFormat.LengthPrefixed())
        .OnFrame(static (connection, frame) => connection.Send(in frame));

    private static async Task<byte[]> EchoAsync(EndPoint endPoint, byte[] body)
    {
        var answer = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var connector = new PlayChatConnector(FrameFormat.LengthPrefixed(), (_, frame) => answer.TrySetResult(frame.ToArray()));
        Connection connection = await connector.ConnectAsync(endPoint).WaitAsync(TestTimeouts.Hang);
        connection.Send(body);
        return await answer.Task.WaitAsync(TestTimeouts.Hang);
    }
}
