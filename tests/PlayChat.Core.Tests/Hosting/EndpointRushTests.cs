using System.Collections.Concurrent;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

/// <summary>More come at one instant than can be set up.</summary>
public sealed class EndpointRushTests
{
    [Fact]
    public async Task So_many_links_wait_to_be_opened_as_may_and_in_the_end_all_are_in_their_order()
    {
        const int Clients = 5000;
        var time = new ManualTimeProvider();
        using var held = new ManualResetEventSlim();
        var opened = new ConcurrentQueue<TransportConnection>();
        var listener = new RushListener(Clients);
        await using var endpoint = new Endpoint(
            listener, static _ => true, handshakes: null, time, new RecordingLogger(), Open);

        endpoint.Start();
        await time.WaitForTimersAsync().WaitAsync(TestTimeouts.Hang); // it waits for room
        Assert.Equal(Endpoint.MaxUnopened, listener.Accepted);
        held.Set();
        await Eventually.TrueAsync(() => opened.Count == Endpoint.MaxUnopened);
        Assert.Equal(Endpoint.MaxUnopened, listener.Accepted);
        time.Advance(TimeSpan.FromMilliseconds(5));

        await Eventually.TrueAsync(() => opened.Count == Clients);
        Assert.Equal(listener.Links, opened);

        void Open(TransportConnection link)
        {
            held.Wait(TestTimeouts.Hang);
            opened.Enqueue(link);
        }
    }

    [Fact]
    public async Task An_endpoint_that_waits_for_room_can_be_disposed_and_opens_what_it_has_accepted()
    {
        var time = new ManualTimeProvider();
        using var held = new ManualResetEventSlim();
        int opened = 0;
        var listener = new RushListener(Endpoint.MaxUnopened + 1);
        var endpoint = new Endpoint(
            listener, static _ => true, handshakes: null, time, new RecordingLogger(), Open);
        endpoint.Start();
        await time.WaitForTimersAsync().WaitAsync(TestTimeouts.Hang);

        await endpoint.DisposeAsync().AsTask().WaitAsync(TestTimeouts.Hang);
        held.Set();

        await Eventually.TrueAsync(() => Volatile.Read(ref opened) == Endpoint.MaxUnopened);
        Assert.Equal(Endpoint.MaxUnopened, listener.Accepted);

        void Open(TransportConnection link)
        {
            held.Wait(TestTimeouts.Hang);
            Interlocked.Increment(ref opened);
        }
    }
}
