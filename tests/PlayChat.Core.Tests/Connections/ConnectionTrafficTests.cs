using PlayChat.Core.Connections;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class ConnectionTrafficTests
{
    [Fact]
    public async Task Traffic_shows_what_waits_and_for_how_long_and_what_was_sent()
    {
        await using var sessions = new StubSessions();
        Session session = sessions.Open();
        StubLink link = sessions.LinkOf(session);
        link.HoldSends = true;
        session.Connection.Send("abc"u8);
        sessions.Time.Advance(TimeSpan.FromSeconds(3));

        ConnectionTraffic blocked = session.Connection.Traffic;
        link.HoldSends = false;
        link.CompleteSend();
        ConnectionTraffic sent = session.Connection.Traffic;

        Assert.True(blocked.QueuedBytes >= 3, $"{blocked.QueuedBytes} bytes wait.");
        Assert.Equal(TimeSpan.FromSeconds(3), blocked.BlockedFor);
        Assert.Equal(TimeSpan.FromSeconds(3), blocked.Age);
        Assert.Equal(TimeSpan.FromSeconds(3), blocked.SilentFor);
        Assert.Equal(0, blocked.BytesSent);
        Assert.Equal(blocked.QueuedBytes, sent.BytesSent);
        Assert.Equal(1, sent.FramesSent);
        Assert.Equal(0, sent.QueuedBytes);
        Assert.Equal(TimeSpan.Zero, sent.BlockedFor);
        Assert.True(sent.MaxQueuedBytes > 0);
    }

    [Fact]
    public async Task After_an_abort_the_bytes_that_were_dropped_are_shown_as_queued()
    {
        await using var sessions = new StubSessions();
        Session session = sessions.Open();
        sessions.LinkOf(session).HoldSends = true;
        session.Connection.Send("abc"u8);
        session.Connection.Send("defg"u8);

        session.Connection.Abort();

        Assert.True(session.Connection.Traffic.QueuedBytes >= 4, $"{session.Connection.Traffic.QueuedBytes} bytes waited.");
    }
}
