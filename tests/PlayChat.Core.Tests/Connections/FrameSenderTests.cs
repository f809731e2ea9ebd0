using System.Text;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

/// <summary>The sender with its parts, but without a connection.</summary>
public sealed class FrameSenderTests
{
    private readonly RecordingControl _control = new();

    [Theory]
    [InlineData(SlowConsumerPolicy.Disconnect, "abort SlowConsumer")]
    [InlineData(SlowConsumerPolicy.DropNewest, null)]
    [InlineData(SlowConsumerPolicy.Wait, "abort SlowConsumer")]
    public void A_full_queue_does_what_the_policy_says(SlowConsumerPolicy policy, string? call)
    {
        using var services = new PartServices(options => (options.MaxOutboundBytes, options.SlowConsumer) = (4096, policy));
        var sender = new FrameSender(services.Link, services.Services, _control);
        services.Link.HoldSends = true;
        Assert.True(sender.Send(new byte[4000], default));

        Assert.False(sender.Send(new byte[4000], default));

        Assert.Equal(call is null ? [] : [call], _control.Calls);
        Assert.Equal(call is null ? 1 : 0, services.Metrics.Read(Counter.FramesDropped));
        services.Link.CompleteSend();
        Assert.Equal(0, sender.Bytes);
    }

    [Fact]
    public async Task Under_Wait_a_send_waits_for_room()
    {
        using var services = new PartServices(
            static options => (options.MaxOutboundBytes, options.SlowConsumer) = (4096, SlowConsumerPolicy.Wait));
        var sender = new FrameSender(services.Link, services.Services, _control);
        services.Link.HoldSends = true;
        sender.Send(new byte[4000], default);

        ValueTask<bool> sending = sender.SendAsync(new byte[4000], default, CancellationToken.None);
        Assert.False(sending.IsCompleted);
        Assert.True(sender.HasWaiters);
        services.Link.CompleteSend();

        Assert.True(await sending.AsTask().WaitAsync(TestTimeouts.Hang));
        services.Link.CompleteSend();
    }

    [Fact]
    public void A_body_that_the_format_does_not_carry_is_refused_and_leaves_the_queue_as_it_was()
    {
        using var services = new PartServices(format: FrameFormat.Line(maxFrameBytes: 100));
        var sender = new FrameSender(services.Link, services.Services, _control);

        Assert.Throws<ArgumentException>(() => sender.Send(new byte[101], default));
        Assert.Throws<ArgumentException>(() => sender.Send("two\nlines"u8, default));
        Assert.Throws<FormatException>(() => sender.Enqueue(default, 3, 0, static (_, _) => throw new FormatException(), flush: true));

        Assert.True(sender.Send("a line"u8, default));
        Assert.Equal("a line\n", Encoding.ASCII.GetString(services.Link.Sent!.ToArray()));
        sender.Drop();
    }
}
