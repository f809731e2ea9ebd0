using System.Net;
using System.Threading.Channels;
using PlayChat.Core.Clients;
using PlayChat.Core.Connections;
using PlayChat.Core.Framing;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Clients;

public sealed class ReconnectingConnectionTests : IAsyncLifetime
{
    private readonly ManualTimeProvider _time = new();
    private readonly RecordingLogger _logger = new();
    private readonly InMemoryTransport _transport = new();
    private readonly Channel<ReconnectAttempt> _attempts = Channel.CreateUnbounded<ReconnectAttempt>();
    private readonly Channel<Connection> _returns = Channel.CreateUnbounded<Connection>();
    private readonly Channel<byte> _received = Channel.CreateUnbounded<byte>(); // by the server
    private readonly ReconnectOptions _options = new();
    private PlayChatServer _server = null!;
    private PlayChatConnector _connector = null!;
    private EndPoint _endPoint = null!;
    private readonly Channel<Connection> _accepted = Channel.CreateUnbounded<Connection>(); // by the server
    private Action? _onFrame;
    private int _timers;
    private int _ends;

    public async ValueTask InitializeAsync()
    {
        _options.Reconnecting = attempt => _attempts.Writer.TryWrite(attempt);
        _options.Reconnected = connection => _returns.Writer.TryWrite(connection);
        _options.Ended = _ => Interlocked.Increment(ref _ends);
        _connector = new PlayChatConnector(
            FrameFormat.LengthPrefixed(),
            static (connection, frame) => connection.Get<ReconnectingConnection>()!.ExpectClose(
                (CloseReason)frame.Body.FirstSpan[0], "Closing.", TimeSpan.FromSeconds(frame.Body.FirstSpan[1])),
            transport: _transport,
            loggers: _logger,
            time: _time);
        _server = await StartServerAsync("127.0.0.1:0");
        _endPoint = _server.EndPoints[0];
        _timers = _time.PendingTimers;
    }

    public async ValueTask DisposeAsync()
    {
        await _connector.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task A_broken_connection_is_made_and_entered_again()
    {
        List<(Connection Connection, ReconnectAttempt? Attempt, string? State)> entered = [];
        await using ReconnectingConnection lasting = await _connector.ConnectLastingAsync(
            _endPoint,
            (connection, attempt, _) =>
            {
                entered.Add((connection, attempt, connection.Get<string>()));
                return default;
            },
            _options,
            static connection => connection.Set("state"));
        Connection first = lasting.Current!;

        _transport.BreakAll();
        ReconnectAttempt attempt = await NextAsync(_attempts);
        Assert.Null(lasting.Current);
        await PassAsync(attempt.Delay);
        Connection second = await NextAsync(_returns);

        Assert.Equal((1, CloseReason.PeerReset), (attempt.Number, attempt.Reason));
        Assert.InRange(attempt.Delay, TimeSpan.FromMilliseconds(125), TimeSpan.FromMilliseconds(250));
        Assert.Same(second, lasting.Current);
        Assert.NotSame(first, second);
        Assert.Equal([(first, null, "state"), (second, attempt, "state")], entered);
        Assert.Same(lasting, second.Get<ReconnectingConnection>());
    }

    [Fact]
    public async Task Attempts_follow_with_growing_waits_until_the_time_is_up()
    {
        _options.FirstDelay = TimeSpan.FromSeconds(1);
        _options.MaxDelay = TimeSpan.FromSeconds(4);
        _options.GiveUpAfter = TimeSpan.FromSeconds(20);
        await using ReconnectingConnection lasting = await ConnectAsync();
        await NextAsync(_accepted);
        await _server.DisposeAsync(); // says nothing before
        TimeSpan passed = TimeSpan.Zero;

        for (int number = 1; passed < _options.GiveUpAfter; number++)
        {
            ReconnectAttempt attempt = await NextAsync(_attempts);
            double full = Math.Min(4, Math.Pow(2, number - 1));
            Assert.Equal(number, attempt.Number);
            Assert.InRange(attempt.Delay.TotalSeconds, full / 2, full);
            await PassAsync(attempt.Delay);
            passed += attempt.Delay;
        }

        ReconnectEnd end = await lasting.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.True(ReconnectPolicy.IsBreak(end.Reason));
        Assert.IsType<ConnectFailedException>(end.Error);
        Assert.False(_attempts.Reader.TryRead(out _));
        Assert.Equal(1, _ends);
    }

    [Fact]
    public async Task A_refusal_that_may_pass_is_followed_by_another_attempt_and_one_for_good_is_the_end()
    {
        _options.MayPass = static e => e.Message == "Later.";
        await using ReconnectingConnection lasting = await ConnectAsync((_, attempt, _) => attempt?.Number switch
        {
            null => default,
            1 => throw new InvalidOperationException("Later."),
            _ => throw new InvalidOperationException("No."),
        });

        _transport.BreakAll();
        await PassAsync((await NextAsync(_attempts)).Delay);
        await PassAsync((await NextAsync(_attempts)).Delay);

        ReconnectEnd end = await lasting.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.Equal((CloseReason.PeerReset, "No."), (end.Reason, end.Error?.Message));
        Assert.Null(lasting.Current);
    }

    [Fact]
    public async Task An_application_that_does_not_want_to_return_is_not_brought_back()
    {
        _options.ShouldReturn = static reason => reason != CloseReason.PeerReset;
        await using ReconnectingConnection lasting = await ConnectAsync();

        _transport.BreakAll();

        Assert.Equal(CloseReason.PeerReset, (await lasting.Closed.WaitAsync(TestTimeouts.Hang)).Reason);
        Assert.False(_attempts.Reader.TryRead(out _));
    }

    [Fact]
    public async Task A_connection_that_breaks_while_it_is_entered_is_followed_by_another_attempt()
    {
        await using ReconnectingConnection lasting = await ConnectAsync((_, attempt, token) => attempt?.Number == 1
            ? CutAsync(token)
            : default);

        _transport.BreakAll();
        await PassAsync((await NextAsync(_attempts)).Delay);
        ReconnectAttempt second = await NextAsync(_attempts);
        await PassAsync(second.Delay);

        Assert.Same(await NextAsync(_returns), lasting.Current);
        Assert.Equal(2, second.Number);

        async ValueTask CutAsync(CancellationToken token)
        {
            _transport.BreakAll();
            await Task.Delay(Timeout.Infinite, token);
        }
    }

    [Fact]
    public async Task Closing_while_an_attempt_waits_is_the_end()
    {
        await using ReconnectingConnection lasting = await ConnectAsync();
        _transport.BreakAll();
        await NextAsync(_attempts);
        await WaitForDelayAsync();

        await lasting.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(new ReconnectEnd(CloseReason.LocalClose, message: null, error: null), await lasting.Closed);
        Assert.Equal(1, _ends);
    }

    [Fact]
    public async Task Closing_while_an_attempt_enters_aborts_it()
    {
        var entering = new TaskCompletionSource<Connection>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using ReconnectingConnection lasting = await ConnectAsync(async (connection, attempt, token) =>
        {
            if (attempt is not null)
            {
                entering.SetResult(connection);
                await Task.Delay(Timeout.Infinite, token);
            }
        });
        _transport.BreakAll();
        await PassAsync((await NextAsync(_attempts)).Delay);
        Connection attempted = await entering.Task.WaitAsync(TestTimeouts.Hang);

        await lasting.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.Equal(CloseReason.LocalClose, (await lasting.Closed).Reason);
        Assert.False(attempted.IsOpen);
        Assert.Equal(1, _ends);
    }

    [Fact]
    public async Task Closing_says_goodbye_once_and_delivers_it()
    {
        _options.Leaving = static connection => connection.Send([42]);
        await using ReconnectingConnection lasting = await ConnectAsync();

        await Task.WhenAll(lasting.DisposeAsync().AsTask(), lasting.DisposeAsync().AsTask()).WaitAsync(TestTimeouts.Hang);
        await _server.DisposeAsync();

        Assert.Equal(42, await NextAsync(_received));
        Assert.False(_received.Reader.TryRead(out _));
        Assert.Equal(CloseReason.LocalClose, (await lasting.Closed).Reason);
    }

    [Fact]
    public async Task An_attempt_that_succeeds_although_it_was_closed_says_goodbye()
    {
        _options.Leaving = static connection => connection.Send([42]);
        ReconnectingConnection? lasting = null;
        Task closing = Task.CompletedTask;
        lasting = await ConnectAsync((_, attempt, _) =>
        {
            if (attempt is not null)
            {
                closing = lasting!.DisposeAsync().AsTask();
            }

            return default;
        });

        _transport.BreakAll();
        await PassAsync((await NextAsync(_attempts)).Delay);
        await lasting.Closed.WaitAsync(TestTimeouts.Hang);
        await closing.WaitAsync(TestTimeouts.Hang);

        Assert.Equal(42, await NextAsync(_received));
    }

    [Fact]
    public async Task After_a_planned_stop_the_first_attempt_comes_when_the_server_has_asked_for_it()
    {
        await using ReconnectingConnection lasting = await ConnectAsync();

        await CloseByServerAsync(CloseReason.ServerShutdown, seconds: 90);
        ReconnectAttempt first = await NextAsync(_attempts);
        await PassAsync(first.Delay);
        ReconnectAttempt second = await NextAsync(_attempts); // the server is not back: although 90 s have passed, there is another
        _server = await StartServerAsync($"{_endPoint}");
        await PassAsync(second.Delay);

        Assert.Same(await NextAsync(_returns), lasting.Current);
        Assert.Equal(new ReconnectAttempt(1, TimeSpan.FromSeconds(90), CloseReason.ServerShutdown, "Closing."), first);
        Assert.InRange(second.Delay, TimeSpan.FromMilliseconds(250), TimeSpan.FromMilliseconds(500));
    }

    [Theory]
    [InlineData(CloseReason.ServerShutdown, 0)]
    [InlineData(CloseReason.TakenOver, 5)]
    public async Task A_stop_without_advice_and_an_end_on_purpose_are_final(CloseReason reason, byte seconds)
    {
        await using ReconnectingConnection lasting = await ConnectAsync();

        await CloseByServerAsync(reason, seconds);

        Assert.Equal(new ReconnectEnd(reason, "Closing.", error: null), await lasting.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.False(_attempts.Reader.TryRead(out _));
    }

    [Fact]
    public async Task A_first_connection_that_cannot_be_entered_is_the_callers_exception()
    {
        Connection? made = null;

        await Assert.ThrowsAsync<InvalidOperationException>(() => ConnectAsync((connection, _, _) =>
        {
            made = connection;
            throw new InvalidOperationException("Wrong password.");
        }));

        Assert.Equal(CloseReason.LocalClose, await made!.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, _ends);
    }

    [Fact]
    public async Task A_callback_that_throws_is_logged_and_the_return_goes_on()
    {
        _options.Reconnecting += static _ => throw new InvalidOperationException("A subscriber's.");
        await using ReconnectingConnection lasting = await ConnectAsync();

        _transport.BreakAll();
        await PassAsync((await NextAsync(_attempts)).Delay);

        Assert.Same(await NextAsync(_returns), lasting.Current);
        Assert.Equal(1, _logger.Count(nameof(HostingLog.ReconnectCallbackFault)));
    }

    [Fact]
    public async Task Disposing_the_connector_ends_the_attempts()
    {
        ReconnectingConnection lasting = await ConnectAsync();
        _transport.BreakAll();
        await NextAsync(_attempts);
        await WaitForDelayAsync();

        await _connector.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);

        Assert.True(lasting.Closed.IsCompleted);
        Assert.Equal(CloseReason.LocalClose, (await lasting.Closed).Reason);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Of_100_cuts_at_random_moments_none_leaves_two_connections_or_none(int seed)
    {
        const int Cuts = 100;
        var random = new Random(seed);
        int cuts = 0;
        int entered = 0;
        int cut = 0; // the last connection that was cut, by its number
        List<string> problems = [];
        Connection? last = null;
        await using var connector = new PlayChatConnector(FrameFormat.LengthPrefixed(), static (_, _) => { }, transport: _transport);
        _options.FirstDelay = TimeSpan.Zero;
        _options.GiveUpAfter = TestTimeouts.Hang;
        _options.Reconnected = _ => TryCut(every: 1);
        _onFrame = () => TryCut(every: 4);

        await using ReconnectingConnection lasting = await connector.ConnectLastingAsync(_endPoint, EnterAsync, _options);
        TryCut(every: 1);
        await Eventually.TrueAsync(() =>
        {
            bool isOver;
            lock (random)
            {
                isOver = cuts == Cuts;
            }

            // A 9 arrives only on a connection that was made after the last cut.
            lasting.Current?.Send([isOver ? (byte)9 : (byte)7]);
            return _received.Reader.TryRead(out byte received) && received == 9;
        });

        Assert.Empty(problems);
        Assert.True(lasting.Current!.IsOpen);
        Assert.Equal(Cuts + 1, entered);
        Assert.Equal(0, _ends);

        async ValueTask EnterAsync(Connection connection, ReconnectAttempt? attempt, CancellationToken token)
        {
            lock (random)
            {
                entered++;
            }

            if (last is { Closed.IsCompleted: false })
            {
                problems.Add($"Entered {connection.Id} beside {last.Id}.");
            }

            last = connection;
            connection.Send([1]);
            if (attempt is not null && TryCut(every: 3))
            {
                await Task.Delay(Timeout.Infinite, token);
            }
        }

        bool TryCut(int every)
        {
            lock (random)
            {
                // A busy server may see many frames of a connection that is cut already; each connection counts once.
                if (cuts == Cuts || cut == entered || random.Next(every) != 0)
                {
                    return false;
                }

                cuts++;
                cut = entered;
                _transport.BreakAll();
                return true;
            }
        }
    }

    [Fact]
    public async Task Wrong_options_are_named() => await Assert.ThrowsAsync<OptionsException>(
        () => _connector.ConnectLastingAsync(
            _endPoint, static (_, _, _) => default, new ReconnectOptions { FirstDelay = TimeSpan.FromDays(1) }));

    private static Task<T> NextAsync<T>(Channel<T> channel) => channel.Reader.ReadAsync().AsTask().WaitAsync(TestTimeouts.Hang);

    private async Task<PlayChatServer> StartServerAsync(string address)
    {
        PlayChatServer server = new PlayChatServer(options =>
            {
                options.StopTimeout = TimeSpan.Zero;
                options.ListenTcp(address);
            })
            .UseTransport(_transport)
            .UseFraming(FrameFormat.LengthPrefixed())
            .OnConnected(session => _accepted.Writer.TryWrite(session.Connection))
            .OnFrame((_, frame) =>
            {
                _received.Writer.TryWrite(frame.Body.FirstSpan[0]);
                _onFrame?.Invoke();
            });
        await server.StartAsync();
        return server;
    }

    private Task<ReconnectingConnection> ConnectAsync(Func<Connection, ReconnectAttempt?, CancellationToken, ValueTask>? enter = null) =>
        _connector.ConnectLastingAsync(_endPoint, enter ?? (static (_, _, _) => default), _options).WaitAsync(TestTimeouts.Hang);

    /// <summary>The server says why it closes, closes, and ends.</summary>
    private async Task CloseByServerAsync(CloseReason reason, byte seconds)
    {
        Connection connection = await NextAsync(_accepted);
        connection.Send([(byte)reason, seconds]);
        connection.Close();
        await connection.Closed.WaitAsync(TestTimeouts.Hang);
        await _server.DisposeAsync();
    }

    private Task WaitForDelayAsync() => _time.WaitForTimersAsync(_timers + 1).WaitAsync(TestTimeouts.Hang);

    private async Task PassAsync(TimeSpan delay)
    {
        await WaitForDelayAsync();
        _time.Advance(delay);
    }
}
