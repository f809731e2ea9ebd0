using System.Net;
using PlayChat.Core.Connections;
using PlayChat.Core.Hosting;
using PlayChat.Core.Transport;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class HandshakeSlotsTests : IDisposable
{
    private readonly List<StubLink> _links = [];

    public void Dispose() => _links.ForEach(static link => link.Dispose());

    [Fact]
    public void A_network_that_fills_all_slots_with_silent_links_loses_its_oldest_to_each_newcomer()
    {
        var slots = NewSlots(max: 3, maxPerNetwork: 3);
        Handshake[] flood = [Take(slots, "192.0.2.1"), Take(slots, "192.0.2.1"), Take(slots, "192.0.2.1")];

        Assert.Equal(CloseReason.None, slots.Take(Of("198.51.100.1"), out Handshake? first));
        Assert.Equal(CloseReason.None, slots.Take(Of("198.51.100.2"), out Handshake? second));

        Assert.Same(flood[0], first);
        Assert.Same(flood[1], second);
        Assert.True(flood[0].IsDisplaced);
        Assert.NotEqual(CloseReason.None, slots.Take(Of("192.0.2.1"), out _)); // all hold one each
    }

    [Fact]
    public void A_network_holds_no_more_slots_than_its_share_even_while_others_are_free()
    {
        var slots = NewSlots(max: 100, maxPerNetwork: 2);
        Handshake first = Take(slots, "2001:db8::1");
        Take(slots, "2001:db8::ffff:2");

        Assert.Equal(CloseReason.AddressFull, slots.Take(Of("2001:db8::3"), out Handshake? displaced));
        Assert.Null(displaced);
        Assert.Equal(CloseReason.None, slots.Take(Of("2001:db8:0:1::1"), out _));
        slots.Release(first);
        Assert.Equal(CloseReason.None, slots.Take(Of("2001:db8::3"), out _));
    }

    [Fact]
    public void A_limit_that_changes_holds_for_the_next_link()
    {
        var limits = new TlsOptions { MaxHandshakes = 100, MaxHandshakesPerAddress = 1 };
        var slots = new HandshakeSlots(limits, new ConnectionOptions());
        Take(slots, "192.0.2.1");
        Assert.Equal(CloseReason.AddressFull, slots.Take(Of("192.0.2.1"), out _));

        limits.MaxHandshakesPerAddress = 2;

        Assert.Equal(CloseReason.None, slots.Take(Of("192.0.2.1"), out _));
    }

    [Fact]
    public void The_share_bounds_this_machine_only_where_that_is_asked_for()
    {
        var limited = NewSlots(max: 3, maxPerNetwork: 1, limitsLoopback: true);
        Take(limited, "127.0.0.1");
        Assert.Equal(CloseReason.AddressFull, limited.Take(Of("127.0.0.1"), out _));
        var slots = NewSlots(max: 3, maxPerNetwork: 1);
        Take(slots, "127.0.0.1");

        Assert.Equal(CloseReason.None, slots.Take(Of("127.0.0.1"), out _));
        Assert.Equal(CloseReason.None, slots.Take(Of("::ffff:127.0.0.1"), out _));
        Assert.Equal(CloseReason.ServerFull, slots.Take(Of("127.0.0.1"), out _));
    }

    [Fact]
    public void A_handshake_that_has_spoken_keeps_its_slot_while_the_same_networks_have_silent_ones()
    {
        var slots = NewSlots(max: 3, maxPerNetwork: 3);
        Handshake spoken = Take(slots, "192.0.2.1");
        spoken.HasSpoken = true;
        Handshake silent = Take(slots, "192.0.2.1");
        Take(slots, "192.0.2.2");

        Assert.Equal(CloseReason.None, slots.Take(Of("198.51.100.1"), out Handshake? displaced));

        Assert.Same(silent, displaced);
    }

    [Fact]
    public void A_network_that_sends_a_byte_on_each_link_keeps_at_most_one_slot_more_than_a_newcomer()
    {
        var slots = NewSlots(max: 3, maxPerNetwork: 3);
        Handshake[] flood = [Take(slots, "192.0.2.1"), Take(slots, "192.0.2.1"), Take(slots, "192.0.2.1")];
        Array.ForEach(flood, static handshake => handshake.HasSpoken = true);

        Handshake first = Of("198.51.100.1");
        Assert.Equal(CloseReason.None, slots.Take(first, out Handshake? displaced));
        Assert.Same(flood[0], displaced);
        first.HasSpoken = true;
        Handshake second = Of("198.51.100.2");
        Assert.Equal(CloseReason.None, slots.Take(second, out displaced));
        Assert.Same(flood[1], displaced);
        second.HasSpoken = true;
        Assert.NotEqual(CloseReason.None, slots.Take(Of("198.51.100.3"), out _));
    }

    [Fact]
    public void A_flood_from_many_networks_loses_its_oldest_silent_link_to_each_newcomer()
    {
        var slots = NewSlots(max: 3, maxPerNetwork: 3);
        Handshake oldest = Take(slots, "192.0.2.1");
        Take(slots, "192.0.2.2");
        Take(slots, "192.0.2.3");

        Assert.Equal(CloseReason.None, slots.Take(Of("198.51.100.1"), out Handshake? displaced));

        Assert.Same(oldest, displaced);
    }

    [Fact]
    public void A_slot_is_given_back_once()
    {
        var slots = NewSlots(max: 1, maxPerNetwork: 1);
        Handshake first = Take(slots, "192.0.2.1");
        Handshake second = Of("192.0.2.2");
        Assert.Equal(CloseReason.None, slots.Take(second, out _));

        slots.Release(first); // it has lost its slot to the second one
        Assert.NotEqual(CloseReason.None, slots.Take(Of("192.0.2.2"), out _));
        slots.Release(second);
        slots.Release(second);

        Assert.Equal(CloseReason.None, slots.Take(Of("192.0.2.3"), out Handshake? displaced));
        Assert.Null(displaced);
    }

    [Fact]
    public void A_handshake_through_a_proxy_counts_for_the_client_once_it_is_known()
    {
        var slots = NewSlots(max: 10, maxPerNetwork: 1);
        Handshake first = Of(null);
        Handshake second = Of(null);
        Assert.Equal(CloseReason.None, slots.Take(first, out _));
        Assert.Equal(CloseReason.None, slots.Take(second, out _));

        Assert.True(slots.TryMove(first, Network("192.0.2.1")));
        Assert.False(slots.TryMove(second, Network("192.0.2.1")));
        slots.Release(first);

        Assert.True(slots.TryMove(second, Network("192.0.2.1")));
        Assert.NotEqual(CloseReason.None, slots.Take(Of("192.0.2.1"), out _));
    }

    private static PeerNetwork Network(string address) => PeerNetwork.Of(IPAddress.Parse(address));

    private static HandshakeSlots NewSlots(int max, int maxPerNetwork, bool limitsLoopback = false) => new(
        new TlsOptions { MaxHandshakes = max, MaxHandshakesPerAddress = maxPerNetwork },
        new ConnectionOptions { LimitsLoopback = limitsLoopback });

    private Handshake Take(HandshakeSlots slots, string address)
    {
        Handshake taken = Of(address);
        Assert.Equal(CloseReason.None, slots.Take(taken, out _));
        return taken;
    }

    private Handshake Of(string? address)
    {
        var link = new StubLink();
        _links.Add(link);
        return new Handshake(link, address is null ? null : Network(address));
    }
}
