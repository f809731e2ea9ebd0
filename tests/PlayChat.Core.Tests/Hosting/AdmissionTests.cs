using System.Net;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Hosting;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Hosting;

public sealed class AdmissionTests : IDisposable
{
    private const string Stranger = "192.0.2.1";
    private const string Other = "192.0.2.2";

    private readonly ManualTimeProvider _time = new();
    private readonly RecordingLogger _log = new();
    private readonly ServerMetrics _metrics;
    private readonly ConnectionOptions _options = new() { AcceptsPerSecondPerAddress = 0 };

    public AdmissionTests() => _metrics = new ServerMetrics(time: _time);

    public void Dispose()
    {
        _metrics.Dispose();
        _log.Dispose();
    }

    [Fact]
    public void An_address_over_its_limit_is_refused_until_one_of_its_links_is_disposed_and_others_are_not()
    {
        _options.MaxConnectionsPerAddress = 2;
        Admission admission = Create();
        StubLink first = Link(Stranger);
        Assert.True(admission.TryEnter(first, canTell: false));
        Assert.True(admission.TryEnter(Link(Stranger), canTell: false));

        StubLink refused = Link(Stranger);
        Assert.False(admission.TryEnter(refused, canTell: false));
        Assert.True(refused.IsAborted);
        Assert.Equal(1, refused.Disposals);
        Assert.True(admission.TryEnter(Link(Other), canTell: false));
        first.Dispose();
        first.Dispose(); // gives only one place back

        Assert.True(admission.TryEnter(Link(Stranger), canTell: false));
        Assert.False(admission.TryEnter(Link(Stranger), canTell: false));
        Assert.Equal(2, _metrics.Snapshot().ConnectionsRefused);
        Assert.Equal(3, admission.Links);
    }

    [Fact]
    public void A_refusal_is_counted_after_it_is_logged()
    {
        _options.MaxConnectionsPerAddress = 1;
        Admission admission = Create();
        long counted = -1;
        _log.Logged = _ => counted = _metrics.Snapshot().ConnectionsRefused;
        admission.TryEnter(Link(Stranger), canTell: false);

        admission.TryEnter(Link(Stranger), canTell: false);

        Assert.Equal(0, counted);
        Assert.Equal(1, _metrics.Snapshot().ConnectionsRefused);
    }

    [Fact]
    public void A_link_that_can_be_told_stays_for_it_and_takes_no_place_of_its_address()
    {
        _options.MaxConnectionsPerAddress = 1;
        Admission admission = Create();
        StubLink first = Link(Stranger);
        admission.TryEnter(first, canTell: true);

        StubLink refused = Link(Stranger);
        Assert.True(admission.TryEnter(refused, canTell: true));
        Assert.Equal(CloseReason.AddressFull, refused.Refusal);
        first.Dispose();
        StubLink next = Link(Stranger);
        admission.TryEnter(next, canTell: true);

        Assert.Equal(CloseReason.None, next.Refusal);
    }

    [Theory]
    [InlineData(100, 25)]
    [InlineData(2, 1)]
    [InlineData(100_000, 1000)]
    public void By_default_an_address_has_a_quarter_of_the_places_and_at_most_a_thousand(int connections, int perAddress)
    {
        _options.MaxConnections = connections;
        Admission admission = Create();

        int entered = Enumerable.Range(0, 2000).Count(_ => admission.TryEnter(Link("2001:db8::1"), canTell: false));

        Assert.Equal(perAddress, entered);
    }

    [Fact]
    public void Connections_beyond_the_rate_of_an_address_are_reset_and_a_limit_may_change_meanwhile()
    {
        _options.MaxConnectionsPerAddress = 15;
        _options.AcceptsPerSecondPerAddress = 10;
        Admission admission = Create();
        Assert.Equal(15, Knocks(admission, Stranger, tries: 20));

        _time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal(1, Knocks(admission, Stranger, tries: 20));
        Assert.Equal(15, Knocks(admission, Other, tries: 20));
        _options.MaxConnectionsPerAddress = 5;
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(10, Knocks(admission, Other, tries: 20)); // those of a second
        _options.AcceptsPerSecondPerAddress = 0;

        Assert.Equal(20, Knocks(admission, Stranger, tries: 20));
        Assert.Equal(0, admission.Links);
    }

    [Fact]
    public void Clients_on_the_own_machine_have_limits_only_when_the_options_say_so()
    {
        _options.MaxConnectionsPerAddress = 1;
        _options.AcceptsPerSecondPerAddress = 1;
        Admission admission = Create();
        Assert.Equal(20, Knocks(admission, "127.0.0.1", tries: 20));

        _options.LimitsLoopback = true;

        Assert.Equal(1, Knocks(admission, "::1", tries: 20));
    }

    [Fact]
    public void Links_never_take_the_last_descriptors()
    {
        Admission admission = Create(new LinkBudget(MaxLinks: 2, MaxRefused: 1, MaxConnections: 1));
        StubLink first = Link(Stranger);
        Assert.True(admission.TryEnter(first, canTell: true));
        Assert.True(admission.TryEnter(Link(Other), canTell: true));

        StubLink refused = Link("127.0.0.1");
        Assert.False(admission.TryEnter(refused, canTell: true));
        Assert.True(refused.IsAborted);
        first.Dispose();

        Assert.True(admission.TryEnter(Link("127.0.0.1"), canTell: true));
    }

    [Theory]
    [InlineData(1024, 200, 696, 43)]
    [InlineData(20_000, 200, 19_288, 1024)]
    [InlineData(1_048_576, 200, 1_047_864, 1024)]
    [InlineData(64, 60, 16, 1)]
    public void Links_get_the_descriptors_that_the_process_does_not_need(long limit, int open, int links, int refused) =>
        Assert.Equal(new LinkBudget(links, refused, links - refused), LinkBudget.Of(limit, open));

    [Fact]
    public void Without_a_limit_of_descriptors_only_the_options_limit_links() =>
        Assert.Equal(new LinkBudget(int.MaxValue, 1024, int.MaxValue), LinkBudget.Of(limit: null, open: 200));

    [Theory]
    [InlineData(ConnectionOptions.DefaultMaxConnections, LogLevel.Information)]
    [InlineData(5000, LogLevel.Warning)]
    public void Too_few_descriptors_are_a_warning_only_if_they_cut_a_limit_that_was_chosen(int maxConnections, LogLevel level)
    {
        LinkBudget budget = LinkBudget.Of(limit: 1024, open: 200);

        budget.Log(_log, maxConnections, "PlayChat");

        (LogLevel Level, string? Event, string Text) line = Assert.Single(_log.Entries);
        Assert.Equal(level, line.Level);
        Assert.Contains($"up to {budget.MaxConnections} connections", line.Text, StringComparison.Ordinal);
        Assert.Equal(level == LogLevel.Warning, line.Text.Contains("PlayChat:Connections:MaxConnections", StringComparison.Ordinal));
    }

    [Fact]
    public void Enough_descriptors_are_not_worth_a_line()
    {
        LinkBudget.Of(limit: 1024, open: 200).Log(_log, wanted: 100, "PlayChat");

        Assert.Empty(_log.Entries);
    }

    [Fact]
    public void Refusals_of_one_address_are_one_line_in_ten_seconds_with_the_number_of_those_left_out()
    {
        _options.MaxConnectionsPerAddress = 1;
        Admission admission = Create();
        admission.TryEnter(Link(Stranger), canTell: false);
        admission.TryEnter(Link(Other), canTell: false);
        Assert.Equal(0, Knocks(admission, Stranger, tries: 50));
        Assert.Equal(0, Knocks(admission, Other, tries: 50));
        Assert.Equal(2, _log.Entries.Count);

        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(0, Knocks(admission, Stranger, tries: 50));

        Assert.Equal(3, _log.Entries.Count);
        Assert.Contains("49 refusals", _log.Entries.Last().Text, StringComparison.Ordinal);
        Assert.Equal(150, _metrics.Snapshot().ConnectionsRefused);
    }

    [Fact]
    public void Refusals_of_many_addresses_are_a_hundred_lines_in_ten_seconds()
    {
        var log = new RefusalLog(_log, _time);
        for (int i = 0; i < 10_000; i++)
        {
            log.Refused(new IPEndPoint(0x0100_000A + ((i % 250L) << 16) + ((i / 250L) << 24), 7000), CloseReason.AddressFull);
        }

        Assert.Equal(100, _log.Entries.Count);
        _time.Advance(TimeSpan.FromSeconds(10));
        log.Refused(new IPEndPoint(IPAddress.Parse("192.0.2.9"), 7000), CloseReason.AddressFull);

        Assert.Equal(101, _log.Entries.Count);
    }

    private static StubLink Link(string address) => new() { Remote = new IPEndPoint(IPAddress.Parse(address), 40_000) };

    /// <summary>Connects and leaves again, one link after the other.</summary>
    /// <returns>How many were let in.</returns>
    private static int Knocks(Admission admission, string address, int tries)
    {
        int entered = 0;
        for (int i = 0; i < tries; i++)
        {
            using StubLink link = Link(address);
            entered += admission.TryEnter(link, canTell: false) ? 1 : 0;
        }

        return entered;
    }

    private Admission Create(LinkBudget? budget = null) => new(
        _options, budget ?? LinkBudget.Of(limit: null, open: 0), _metrics, _time, new RefusalLog(_log, _time));
}
