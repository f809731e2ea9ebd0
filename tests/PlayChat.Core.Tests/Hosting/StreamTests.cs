using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Hosting;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Transport;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>Connections that are handled as streams of bytes.</summary>
public sealed class StreamTests
{
    private readonly TaskCompletionSource<CloseReason> _disconnected = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<Connection> _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CountingPool _pool = new();

    public static MatrixTheoryData<string, bool> Links => new(["sockets", "linux", "memory", "pipes"], [false, true]);

    [Theory]
    [MemberData(nameof(Links))]
    public async Task Megabytes_pass_both_ways_at_once_until_each_side_has_ended_its_own(string kind, bool isEncrypted)
    {
        ITransport transport = TransportOf(kind);
        using X509Certificate2? certificate = isEncrypted ? TestCertificate.Create() : null;
        await using (PlayChatServer server = new PlayChatServer(o =>
            {
                EndpointOptions endpoint = o.ListenTcp("127.0.0.1:0");
                endpoint.Tls.Certificate = certificate;
            })
            .UseTransport(transport).UsePool(_pool)
            .OnDisconnected((_, reason) => _disconnected.TrySetResult(reason))
            .OnStream(static (_, pipe, token) => EchoAsync(pipe, token)))
        {
            await server.StartAsync();
            TransportConnection client = await transport.ConnectAsync(server.EndPoints[0], new TransportOptions());
            if (isEncrypted)
            {
                client = await TlsConnection.ConnectAsync(client, TestCertificate.TrustAny, CancellationToken.None)
                    .WaitAsync(TestTimeouts.Hang);
            }

            byte[] bytes = new byte[4_000_000];
            new Random(5).NextBytes(bytes);
            Task<byte[]> receiving = client.ReceiveToEndAsync();
            for (int at = 0; at < bytes.Length; at += 100_000)
            {
                Assert.True(await client.SendAsync(bytes.AsMemory(at, 100_000)).AsTask().WaitAsync(TestTimeouts.Hang));
            }

            client.Shutdown();

            Assert.Equal(bytes, await receiving);
            Assert.Equal(CloseReason.PeerClosed, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
            MetricsReading figures = server.Metrics.ReadAll();
            Assert.Equal(bytes.Length, figures.Get("playchat.bytes.received"));
            Assert.Equal(bytes.Length, figures.Get("playchat.bytes.sent"));
            client.Dispose();
        }

        await _pool.VerifyAsync();
    }

    [Theory]
    [InlineData("sockets")]
    [InlineData("linux")]
    [InlineData("pipes")]
    public async Task Streams_that_are_cut_on_either_side_at_any_moment_all_end_and_return_their_memory(string kind)
    {
        const int Clients = 200;
        int ended = 0;
        ITransport transport = TransportOf(kind);
        await using (PlayChatServer server = new PlayChatServer(static o => o.ListenTcp("127.0.0.1:0"))
            .UseTransport(transport).UsePool(_pool)
            .OnDisconnected((_, _) => Interlocked.Increment(ref ended))
            .OnStream(static async (connection, pipe, token) =>
            {
                ReadResult first = await pipe.Input.ReadAsync(token); // a reset before would also fail the client's connect
                pipe.Input.AdvanceTo(first.Buffer.Start);
                await pipe.Output.WriteAsync(new byte[1 + (connection.Id * 997 % 200_000)], token);
                switch (connection.Id % 4)
                {
                    case 0:
                        connection.Abort();
                        break;
                    case 1:
                        connection.Close();
                        break;
                    case 2:
                        return;
                    default:
                        break;
                }

                await EchoAsync(pipe, token);
            }))
        {
            await server.StartAsync();
            await Task.WhenAll(Enumerable.Range(0, Clients).Select(i => Task.Run(async () =>
            {
                TransportConnection client = await transport.ConnectAsync(server.EndPoints[0], new TransportOptions());
                await client.SendAsync(new byte[1]);
                await client.ReceiveAsync(1); // the server has accepted it by now
                Task<byte[]> receiving = client.ReceiveToEndAsync();
                ValueTask<bool> sending = client.SendAsync(new byte[i * 997 % 300_000]);
                if (i % 3 == 0)
                {
                    client.Abort();
                }

                if (await sending.AsTask().WaitAsync(TestTimeouts.Hang))
                {
                    client.Shutdown();
                }

                await receiving;
                client.Dispose();
            })));

            // A session is removed after OnDisconnected has returned.
            await Eventually.TrueAsync(() => Volatile.Read(ref ended) == Clients && server.Sessions.Count == 0);
            Assert.Equal(0, server.Metrics.Read(Counter.HandlerFaults));
        }

        await _pool.VerifyAsync();
    }

    [Fact]
    public async Task A_peer_that_has_sent_its_FIN_still_gets_the_answer()
    {
        await using ServerHarness harness = await StartAsync(static async (_, pipe, token) =>
        {
            ReadResult all = await ReadToEndAsync(pipe.Input, token);
            await pipe.Output.WriteAsync(BitConverter.GetBytes(all.Buffer.Length), token);
        });
        TransportConnection client = await harness.ConnectAsync();

        await client.SendAsync(new byte[50_000]);
        client.Shutdown();

        Assert.Equal(BitConverter.GetBytes(50_000L), await client.ReceiveToEndAsync());
        Assert.Equal(CloseReason.PeerClosed, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_handler_that_has_ended_its_output_still_reads()
    {
        var read = new TaskCompletionSource<long>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using ServerHarness harness = await StartAsync(async (_, pipe, token) =>
        {
            await pipe.Output.WriteAsync(new byte[] { 1 }, token);
            await pipe.Output.CompleteAsync();
            read.SetResult((await ReadToEndAsync(pipe.Input, token)).Buffer.Length);
        });
        TransportConnection client = await harness.ConnectAsync();

        byte[] received = await client.ReceiveToEndAsync();
        await client.SendAsync(new byte[1000]);
        client.Shutdown();

        Assert.Equal([1], received);
        Assert.Equal(1000, await read.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task What_a_handler_has_written_but_not_flushed_is_sent_when_it_returns_and_the_link_is_closed()
    {
        await using ServerHarness harness = await StartAsync(static (_, pipe, _) =>
        {
            pipe.Output.Write(new byte[] { 1, 2, 3 });
            return Task.CompletedTask;
        });
        TransportConnection client = await harness.ConnectOnlyAsync();

        Assert.Equal([1, 2, 3], await client.ReceiveToEndAsync());
        await client.SendAsync(new byte[500_000]); // is dropped
        client.Shutdown();

        Assert.Equal(CloseReason.LocalClose, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_handler_that_throws_is_logged_and_counted_and_its_connection_closed_as_HandlerFault()
    {
        await using ServerHarness harness = await StartAsync(static async (_, pipe, token) =>
        {
            await pipe.Output.WriteAsync(new byte[] { 7 }, token);
            throw new InvalidOperationException("The handler's own fault.");
        });
        TransportConnection client = await harness.ConnectOnlyAsync();

        Assert.Equal([7], await client.ReceiveToEndAsync());
        client.Shutdown();

        Assert.Equal(CloseReason.HandlerFault, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, harness.Server.Metrics.Read(Counter.HandlerFaults));
        Assert.Equal(1, harness.Logger.Count("HandlerFault"));
    }

    [Fact]
    public async Task An_output_that_is_completed_with_an_exception_resets_the_link()
    {
        await using ServerHarness harness = await StartAsync(static async (_, pipe, token) =>
        {
            await pipe.Output.WriteAsync(new byte[] { 7 }, token);
            await pipe.Output.CompleteAsync(new InvalidDataException("The rest of the file cannot be read."));
            await ReadToEndAsync(pipe.Input, token);
        });
        TransportConnection client = await harness.ConnectOnlyAsync();

        await client.ReceiveToEndAsync();

        Assert.Equal(CloseReason.PeerReset, client.EndReason);
        Assert.Equal(CloseReason.HandlerFault, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(1, harness.Server.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task A_peer_that_breaks_the_link_cancels_the_token_and_a_read_throws_and_that_is_no_fault()
    {
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using ServerHarness harness = await StartAsync(async (connection, pipe, token) =>
        {
            token.Register(cancelled.SetResult);
            _begun.SetResult(connection);
            await pipe.Input.ReadAsync(CancellationToken.None);
        });
        TransportConnection client = await harness.ConnectAsync();
        Connection connection = await _begun.Task.WaitAsync(TestTimeouts.Hang);

        client.Abort();

        await cancelled.Task.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.PeerReset, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(CloseReason.PeerReset, await connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.True(connection.Aborted.IsCancellationRequested);
        Assert.Equal(0, harness.Server.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task A_handler_that_does_not_read_holds_the_peer_back_and_is_not_taken_for_silence_of_the_peer()
    {
        var read = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        long length = 0;
        await using ServerHarness harness = await StartAsync(async (connection, pipe, token) =>
        {
            _begun.SetResult(connection);
            await read.Task.WaitAsync(TestTimeouts.Hang, CancellationToken.None);
            length = (await ReadToEndAsync(pipe.Input, token)).Buffer.Length;
        });
        TransportConnection client = await harness.ConnectAsync();
        Connection connection = await _begun.Task.WaitAsync(TestTimeouts.Hang);

        ValueTask<bool> sending = client.SendAsync(new byte[1_000_000]);
        await Eventually.TrueAsync(() => harness.Server.Metrics.Read(Counter.BytesReceived) >= 64 * 1024);
        await Eventually.TrueAsync(() => connection.TryExcuseSilence(harness.Time.GetTimestamp())); // what was received is held
        harness.Time.Advance(harness.Server.Options.Sessions.IdleTimeout);
        Assert.True(connection.IsOpen);
        Assert.False(sending.IsCompleted);
        read.SetResult();

        Assert.True(await sending.AsTask().WaitAsync(TestTimeouts.Hang));
        client.Shutdown();
        await _disconnected.Task.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(1_000_000, length);
    }

    [Fact]
    public async Task A_peer_that_does_not_read_holds_the_handler_back_and_silence_closes_the_stream()
    {
        Task? flushing = null;
        await using ServerHarness harness = await StartAsync(async (connection, pipe, _) =>
        {
            flushing = pipe.Output.WriteAsync(new byte[1_000_000], CancellationToken.None).AsTask();
            _begun.SetResult(connection);
            await flushing;
        });
        TransportConnection client = await harness.ConnectAsync();
        Connection connection = await _begun.Task.WaitAsync(TestTimeouts.Hang);

        harness.Time.Advance(harness.Server.Options.Sessions.IdleTimeout);
        Assert.False(flushing!.IsCompleted);
        Assert.False(connection.IsOpen);
        harness.Time.Advance(harness.Server.Options.Connections.CloseTimeout);

        Assert.Equal(CloseReason.IdleTimeout, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
        await flushing.WaitAsync(TestTimeouts.Hang);
        await client.ReceiveToEndAsync();
        Assert.Equal(CloseReason.PeerReset, client.EndReason);
    }

    [Fact]
    public async Task A_stopping_server_cancels_the_token_and_delivers_what_the_handler_still_writes()
    {
        await using ServerHarness harness = await StartAsync(async (connection, pipe, token) =>
        {
            var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            await using CancellationTokenRegistration registration = token.Register(cancelled.SetResult);
            _begun.SetResult(connection);
            ReadResult result = await pipe.Input.ReadAsync(CancellationToken.None);
            await cancelled.Task.WaitAsync(TestTimeouts.Hang, CancellationToken.None); // the connection was no longer open a moment before
            await pipe.Output.WriteAsync(result.Buffer.ToArray(), CancellationToken.None);
        });
        TransportConnection client = await harness.ConnectAsync();
        Connection connection = await _begun.Task.WaitAsync(TestTimeouts.Hang);

        Task stopping = harness.Server.StopAsync();
        await Eventually.TrueAsync(() => !connection.IsOpen);
        harness.Time.Advance(harness.Server.Options.Connections.CloseTimeout); // which begins when the handler has returned
        await client.SendAsync(new byte[] { 1, 2 });

        Assert.Equal([1, 2], await client.ReceiveToEndAsync());
        client.Shutdown();
        await stopping.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.ServerShutdown, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, harness.Server.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task A_handler_that_does_not_return_is_aborted_after_the_stop_timeout()
    {
        await using ServerHarness harness = await StartAsync(async (connection, pipe, _) =>
        {
            _begun.SetResult(connection);
            await ReadToEndAsync(pipe.Input, CancellationToken.None);
        });
        TransportConnection client = await harness.ConnectAsync();
        Connection connection = await _begun.Task.WaitAsync(TestTimeouts.Hang);

        Task stopping = harness.Server.StopAsync();
        await Eventually.TrueAsync(() => !connection.IsOpen);
        harness.Time.Advance(harness.Server.Options.StopTimeout);

        await stopping.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(CloseReason.ServerShutdown, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
        await client.ReceiveToEndAsync();
        Assert.Equal(CloseReason.PeerReset, client.EndReason);
    }

    [Fact]
    public async Task Close_asks_the_handler_to_return_and_aborts_it_after_the_close_timeout()
    {
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using ServerHarness harness = await StartAsync(async (connection, pipe, token) =>
        {
            token.Register(cancelled.SetResult);
            _begun.SetResult(connection);
            await ReadToEndAsync(pipe.Input, CancellationToken.None);
        });
        await harness.ConnectAsync();
        Connection connection = await _begun.Task.WaitAsync(TestTimeouts.Hang);

        connection.Close(CloseReason.TakenOver);
        connection.Close();
        await cancelled.Task.WaitAsync(TestTimeouts.Hang);
        Assert.False(connection.Closed.IsCompleted);
        harness.Time.Advance(harness.Server.Options.Connections.CloseTimeout);

        Assert.Equal(CloseReason.TakenOver, await connection.Closed.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_handler_that_returns_by_its_cancelled_token_has_no_fault()
    {
        await using ServerHarness harness = await StartAsync((connection, _, token) =>
        {
            _begun.SetResult(connection);
            return Task.Delay(Timeout.InfiniteTimeSpan, token);
        });
        TransportConnection client = await harness.ConnectAsync();

        (await _begun.Task.WaitAsync(TestTimeouts.Hang)).Close();

        Assert.Empty(await client.ReceiveToEndAsync());
        client.Shutdown();
        Assert.Equal(CloseReason.LocalClose, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, harness.Server.Metrics.Read(Counter.HandlerFaults));
    }

    [Fact]
    public async Task A_connection_over_a_limit_is_closed_without_its_handler()
    {
        int handled = 0;
        await using ServerHarness harness = await StartAsync(
            async (connection, pipe, token) =>
            {
                Interlocked.Increment(ref handled);
                _begun.TrySetResult(connection);
                await ReadToEndAsync(pipe.Input, token);
            },
            static o => o.Connections.MaxConnections = 1);
        await harness.ConnectAsync();
        await _begun.Task.WaitAsync(TestTimeouts.Hang);
        TransportConnection refused = await harness.ConnectOnlyAsync();

        Assert.Empty(await refused.ReceiveToEndAsync());
        refused.Shutdown();

        Assert.Equal(1, handled);
        Assert.Equal(1, harness.Server.Metrics.Read(Counter.ConnectionsRefused));
    }

    [Fact]
    public async Task Frames_for_a_stream_are_refused_and_never_mixed_with_its_bytes()
    {
        bool sent = true;
        await using ServerHarness harness = await StartAsync(async (connection, pipe, token) =>
        {
            sent = connection.Send(new byte[100]) || await connection.SendAsync(new byte[100], cancellationToken: token);
            await pipe.Output.WriteAsync(new byte[] { 1 }, token);
        });
        TransportConnection client = await harness.ConnectOnlyAsync();

        Assert.Equal([1], await client.ReceiveToEndAsync());
        client.Shutdown();

        Assert.False(sent);
        Assert.Equal(CloseReason.LocalClose, await _disconnected.Task.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_server_has_streams_or_frames_and_not_both()
    {
        await using PlayChatServer server = new PlayChatServer().OnStream(static (_, _, _) => Task.CompletedTask);

        Assert.Throws<InvalidOperationException>(() => server.OnFrame(static (_, _) => { }));
        Assert.Throws<InvalidOperationException>(() => server.OnPackets(static _ => { }));
        Assert.Throws<InvalidOperationException>(() => server.OnStream(static (_, _, _) => Task.CompletedTask));
    }

    private static async Task EchoAsync(IDuplexPipe pipe, CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult result = await pipe.Input.ReadAsync(cancellationToken);
            foreach (ReadOnlyMemory<byte> piece in result.Buffer)
            {
                await pipe.Output.WriteAsync(piece, cancellationToken);
            }

            pipe.Input.AdvanceTo(result.Buffer.End);
            if (result.IsCompleted)
            {
                return;
            }
        }
    }

    /// <summary>Reads everything, and keeps it in the pipe's memory.</summary>
    private static async Task<ReadResult> ReadToEndAsync(PipeReader input, CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult result = await input.ReadAsync(cancellationToken);
            if (result.IsCompleted)
            {
                return result;
            }

            input.AdvanceTo(result.Buffer.Start, result.Buffer.End);
        }
    }

    private static ITransport TransportOf(string kind) => kind switch
    {
        "memory" => new InMemoryTransport(),
        "pipes" => new PipeTransport(),
        "sockets" => SocketTransport.Instance,
        _ => NativeTransport.Create(),
    };

    private Task<ServerHarness> StartAsync(
        Func<Connection, IDuplexPipe, CancellationToken, Task> handler, Action<PlayChatOptions>? options = null) =>
        new ServerHarness(options).StartAsync(server => server
            .OnDisconnected((_, reason) => _disconnected.TrySetResult(reason))
            .OnStream(handler));
}
