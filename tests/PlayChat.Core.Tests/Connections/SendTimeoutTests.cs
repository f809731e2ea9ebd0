using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Sessions;
using PlayChat.Core.Tests.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Connections;

public sealed class SendTimeoutTests
{
    [Fact]
    public async Task A_peer_that_reads_nothing_although_something_waits_is_closed_as_SlowConsumer()
    {
        await using var sessions = new StubSessions(static options => options.SendTimeout = TimeSpan.FromSeconds(10));
        Session session = sessions.Open();
        sessions.LinkOf(session).HoldSends = true;
        Assert.True(session.Connection.Send("a"u8));

        sessions.Time.Advance(TimeSpan.FromMilliseconds(9_999));
        session.Connection.CheckDeadlines(sessions.Time.GetTimestamp());
        Assert.True(session.Connection.IsOpen);
        sessions.Time.Advance(TimeSpan.FromMilliseconds(1));
        session.Connection.CheckDeadlines(sessions.Time.GetTimestamp());

        Assert.Equal(CloseReason.SlowConsumer, session.Connection.CloseReason);
        Assert.Equal(1, sessions.Metrics.Read(Counter.SlowConsumers));
        sessions.LinkOf(session).HoldSends = false;
        sessions.LinkOf(session).CompleteSend();
    }

    [Fact]
    public async Task Each_send_has_its_own_time_and_a_peer_for_which_nothing_waits_has_none()
    {
        await using var sessions = new StubSessions(static options => options.SendTimeout = TimeSpan.FromSeconds(10));
        Session session = sessions.Open();
        StubLink link = sessions.LinkOf(session);
        link.HoldSends = true;
        session.Connection.Send("a"u8);

        for (int i = 0; i < 5; i++)
        {
            sessions.Time.Advance(TimeSpan.FromSeconds(9));
            session.Connection.Send("b"u8);
            link.CompleteSend();
            session.Connection.CheckDeadlines(sessions.Time.GetTimestamp());
        }

        link.HoldSends = false;
        link.CompleteSend();
        sessions.Time.Advance(TimeSpan.FromHours(1));
        session.Connection.CheckDeadlines(sessions.Time.GetTimestamp());

        Assert.True(session.Connection.IsOpen);
    }
}
