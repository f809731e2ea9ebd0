using PlayChat.Core;
using PlayChat.Core.Connections;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Hostile;

namespace PlayChat.Protocol.Tests;

/// <summary>The probe with a connection whose peer answers only what the test says. The clock moves only here.</summary>
public sealed class SilenceProbeTests : IAsyncLifetime
{
    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(10);

    private readonly ManualTimeProvider _time = new();
    private readonly PendingRequests _pending = new();
    private readonly SilenceProbe _probe;
    private FakeChatServer _server = null!; // from here to _peer: set before a test
    private Connection _connection = null!;
    private RawPeer _peer = null!;

    public SilenceProbeTests() => _probe = new SilenceProbe(_pending, s_period, _time);

    public async ValueTask InitializeAsync()
    {
        _server = await FakeChatServer.StartAsync();
        _peer = await RawPeer.ConnectAsync(_server.Port);
        _connection = await _server.AcceptAsync();
        _pending.Release(_connection);
    }

    public async ValueTask DisposeAsync()
    {
        _probe.Dispose();
        _peer.Dispose();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task After_a_period_of_silence_it_asks_and_after_another_one_it_aborts()
    {
        _probe.Start();

        _time.Advance(s_period);
        RawPacket? asked = await _peer.ReceivePacketAsync();
        Assert.Equal(((ushort)PacketId.CEchoReq, 1, true), (asked!.Value.Id, _pending.Count, _connection.IsOpen));

        _time.Advance(s_period);
        Assert.Equal(CloseReason.IdleTimeout, await _connection.Closed.WaitAsync(TestTimeouts.Hang));
        Assert.Equal(0, _pending.Count);
    }

    [Fact]
    public void A_period_in_which_the_server_was_heard_is_no_silence()
    {
        _probe.Start();

        for (int i = 0; i < 5; i++)
        {
            _probe.Heard();
            _time.Advance(s_period);
            Assert.Equal(0, _pending.Count);
        }

        _time.Advance(s_period);
        Assert.Equal(1, _pending.Count);
    }

    [Fact]
    public void Whatever_is_heard_after_it_has_asked_keeps_the_connection_and_its_request_is_given_up()
    {
        _probe.Start();
        _time.Advance(s_period);

        _probe.Heard();
        _time.Advance(s_period);

        Assert.Equal((0, true), (_pending.Count, _connection.IsOpen));
        _time.Advance(s_period);
        Assert.Equal((1, true), (_pending.Count, _connection.IsOpen)); // it asks again first
    }

    [Fact]
    public void While_requests_are_held_there_is_nothing_to_watch()
    {
        _probe.Start();
        _time.Advance(s_period);
        _pending.Hold(static () => new ChatConnectionClosedException(CloseReason.IdleTimeout, null));

        _time.Advance(s_period);
        _time.Advance(s_period);

        Assert.Equal((0, true), (_pending.Count, _connection.IsOpen));
    }

    [Fact]
    public void It_starts_once_and_an_infinite_period_turns_it_off()
    {
        using var off = new SilenceProbe(_pending, Timeout.InfiniteTimeSpan, _time);
        off.Start();
        Assert.Equal(0, _time.PendingTimers);

        _probe.Start();
        _probe.Start();
        Assert.Equal(1, _time.PendingTimers);

        _probe.Dispose();
        Assert.Equal(0, _time.PendingTimers);
    }
}
