using System.Text;
using PlayChat.Core.Buffers;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class SendLoopTests : IDisposable
{
    private readonly PartServices _services = new();
    private readonly Owner _owner;

    public SendLoopTests() => _owner = new Owner(_services);

    private string Sent => Encoding.ASCII.GetString(_services.Link.Sent!.ToArray());

    public void Dispose()
    {
        _owner.Queue.Drop();
        _services.Dispose();
    }

    [Fact]
    public void It_sends_all_that_is_queued_and_ends()
    {
        _owner.Add("ab");
        _owner.Add("c");

        _owner.Flush();

        Assert.Equal(("abc", 1), (Sent, _services.Link.Sends));
        Assert.Equal(0, _owner.Queue.Bytes);
        Assert.Equal(2, _services.Metrics.Read(Counter.FramesSent));
        Assert.False(_owner.Queue.MustWaitForSend(out _));
    }

    [Fact]
    public void What_is_queued_while_a_send_is_under_way_goes_out_with_the_next_one()
    {
        _services.Link.HoldSends = true;
        _owner.Add("a");
        _owner.Flush();
        _owner.Add("b");
        _owner.Flush();
        _owner.Add("c");
        _owner.Flush();
        Assert.Equal("a", Sent);

        _services.Link.CompleteSend();
        Assert.Equal(("abc", 2), (Sent, _services.Link.Sends));
        _services.Link.CompleteSend();
        Assert.Equal((2, 0), (_owner.Completions, _owner.Queue.Bytes));
    }

    [Fact]
    public void A_direct_send_that_does_not_complete_keeps_the_memory_until_it_does()
    {
        _services.Link.HoldSends = true;
        Segment segment = _services.Pool.RentSegment(10);
        segment.Written = 10;
        Assert.True(_owner.Queue.TryAddShared(segment, 0, 10, 1, flush: true, out NextSend next));
        Assert.Equal(NextSend.Direct, next);

        Assert.False(_owner.Loop.SendDirect(ref _owner.Queue, segment, 0, 10, 1));

        segment.Release();
        Assert.Equal(1, _services.Pool.InUse);
        _services.Link.CompleteSend();
        Assert.Equal(0, _services.Pool.InUse);
    }

    [Fact]
    public void It_gives_its_thread_back_after_sixteen_sends()
    {
        _owner.OnSent = () => _owner.Add("x"); // there is always more
        _owner.Add("x");

        _owner.Flush();

        Assert.Equal((16, 1), (_services.Link.Sends, _owner.Later));
        _owner.OnSent = null;
        _owner.Loop.Run(ref _owner.Queue);
        Assert.Equal(17, _services.Link.Sends);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_send_that_fails_tells_why_and_drops_nothing_by_itself(bool throws)
    {
        _services.Link.ThrowOnSend = throws;
        if (!throws)
        {
            _services.Link.Abort();
        }

        _owner.Add("a");
        _owner.Flush();

        Assert.Equal(throws ? CloseReason.TransportFault : CloseReason.LocalClose, _owner.Failure);
        Assert.Equal(throws ? 1 : 0, _owner.Faults);
        Assert.Equal(0, _owner.Queue.Bytes);
    }

    [Fact]
    public void A_closing_queue_shuts_the_link_down_when_all_is_sent()
    {
        _services.Link.HoldSends = true;
        _owner.Add("a");
        _owner.Flush();
        _owner.Queue.TryClose();
        _owner.Loop.ShutdownWhenSent(ref _owner.Queue);
        Assert.False(_services.Link.IsShutdown);

        _services.Link.CompleteSend();

        Assert.True(_services.Link.IsShutdown);
    }

    private sealed class Owner : ISendOwner
    {
        public CloseReason CloseReason => CloseReason.LocalClose;

        internal OutboundQueue Queue;
        internal SendLoop Loop;

        internal Owner(PartServices services)
        {
            Queue = new OutboundQueue(services.Services, gate: this);
            Loop = new SendLoop(new CountingLink(services.Link, () => OnSent?.Invoke()), services.Services, this);
        }

        internal Action? OnSent { get; set; }

        internal int Completions { get; private set; }

        internal int Later { get; private set; }

        internal int Faults { get; private set; }

        internal CloseReason Failure { get; private set; }

        public void OnSendCompleted()
        {
            Completions++;
            Loop.OnCompleted(ref Queue);
        }

        public void SendLater() => Later++;

        public void OnSendFailed(CloseReason reason)
        {
            Failure = reason;
            Queue.TryEnd();
        }

        public void OnSendFault(Exception exception) => Faults++;

        internal void Add(string text)
        {
            Assert.True(Queue.TryBeginFrame(text.Length, out Span<byte> frame));
            Encoding.ASCII.GetBytes(text).CopyTo(frame);
            Queue.EndFrame(text.Length, flush: false);
        }

        internal void Flush()
        {
            if (Queue.Flush() != NextSend.None)
            {
                Loop.Run(ref Queue);
            }
        }
    }
}
