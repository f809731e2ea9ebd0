using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Core;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

public sealed class ChatEventsTests
{
    private readonly object _sender = new();

    [Fact]
    public void An_event_has_the_client_as_its_sender()
    {
        var events = new ChatEvents(_sender, NullLogger.Instance);
        var raised = new List<(object? Sender, EventArgs Args)>();
        events.MemberJoined += (sender, args) => raised.Add((sender, args));
        var joined = new MemberJoinedEventArgs(new SJoinRoomNtf(), missedBefore: 0);

        events.Raise(joined);

        Assert.Equal([(_sender, joined)], raised);
    }

    [Fact]
    public void A_subscriber_that_throws_is_logged_and_stops_nothing()
    {
        var log = new RecordingLogger();
        var events = new ChatEvents(_sender, log);
        events.Reconnecting += static (_, _) => throw new InvalidOperationException("The application's.");

        events.Raise(new ReconnectingEventArgs(CloseReason.PeerReset, null, attempt: 1, TimeSpan.Zero));

        Assert.Equal(1, log.Count("HandlerFailed"));
    }

    [Fact]
    public async Task The_end_is_raised_before_Closed_completes()
    {
        var events = new ChatEvents(_sender, NullLogger.Instance);
        bool wasClosed = true;
        events.Disconnected += (_, _) => wasClosed = events.Closed.IsCompleted;

        events.End(CloseReason.TakenOver, "Bye.");

        ChatDisconnectedEventArgs end = await events.Closed.WaitAsync(TestTimeouts.Hang);
        Assert.False(wasClosed);
        Assert.Equal((CloseReason.TakenOver, "Bye."), (end.Reason, end.ServerMessage));
    }
}
