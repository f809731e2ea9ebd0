using PlayChat.Core.WebSockets;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.WebSockets;

public sealed class SendGateTests
{
    private SendGate _gate;

    [Fact]
    public void A_pong_goes_out_at_once_when_nothing_is_under_way()
    {
        Assert.True(_gate.TryBeginPong());
        Assert.False(_gate.TryBeginMessage());
        _gate.EndPong();
        Assert.True(_gate.TryBeginMessage());
        Assert.False(_gate.EndMessage());
    }

    [Fact]
    public void A_pong_follows_the_message_that_is_under_way()
    {
        Assert.True(_gate.TryBeginMessage());
        Assert.False(_gate.TryBeginPong());
        Assert.False(_gate.TryBeginPong()); // a second ping changes nothing
        Assert.True(_gate.EndMessage());
        Assert.False(_gate.TryBeginMessage());
        _gate.EndPong();
        Assert.True(_gate.TryBeginMessage());
    }

    [Fact]
    public void A_message_follows_the_pong_that_is_under_way()
    {
        Assert.True(_gate.TryBeginPong());
        Task turn = _gate.BeginMessageAsync();
        Assert.False(turn.IsCompleted);
        Assert.False(_gate.TryBeginPong());
        _gate.EndPong();
        Assert.True(turn.IsCompleted);
        Assert.False(_gate.TryBeginPong());
        Assert.True(_gate.EndMessage());
    }

    [Fact]
    public async Task Only_one_side_sends_at_a_time_and_no_pong_is_left_behind()
    {
        const int Rounds = 50_000;
        var link = new GatedLink();
        Task messages = Task.Run(() => link.SendMessagesAsync(Rounds));

        for (int i = 1; i <= Rounds; i++)
        {
            link.Ping(i);
        }

        await messages.WaitAsync(TestTimeouts.Hang);
        Assert.Equal(0, link.Overlaps);
        Assert.Equal(Rounds, link.LastPong);
    }

    /// <summary>Uses the gate as a link does; its sends complete at once.</summary>
    private sealed class GatedLink
    {
        private SendGate _gate;
        private int _sending;
        private int _ping; // the newest that was not answered; 0 for none

        internal int Overlaps { get; private set; }

        internal int LastPong { get; private set; }

        internal async Task SendMessagesAsync(int count)
        {
            for (int i = 0; i < count; i++)
            {
                if (!_gate.TryBeginMessage())
                {
                    await _gate.BeginMessageAsync();
                }

                Send(pong: 0);
                if (_gate.EndMessage())
                {
                    SendPongs();
                }
            }
        }

        internal void Ping(int number)
        {
            Interlocked.Exchange(ref _ping, number);
            if (_gate.TryBeginPong())
            {
                SendPongs();
            }
        }

        private void SendPongs()
        {
            do
            {
                while (Interlocked.Exchange(ref _ping, 0) is var number and > 0)
                {
                    Send(number);
                }

                _gate.EndPong();
            }
            while (Volatile.Read(ref _ping) > 0 && _gate.TryBeginPong());
        }

        private void Send(int pong)
        {
            if (Interlocked.Increment(ref _sending) != 1)
            {
                Overlaps++;
            }

            LastPong = Math.Max(LastPong, pong);
            Interlocked.Decrement(ref _sending);
        }
    }
}
