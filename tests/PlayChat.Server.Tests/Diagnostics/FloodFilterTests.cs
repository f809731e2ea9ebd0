using System.Globalization;
using System.Net;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Diagnostics;
using PlayChat.Protocol;
using PlayChat.Testing;
using Serilog;
using Serilog.Core;
using Serilog.Events;
using Serilog.Extensions.Logging;

namespace PlayChat.Server.Tests.Diagnostics;

public sealed class FloodFilterTests : IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly LogSettings _settings = new() { RepeatAfter = TimeSpan.FromSeconds(10), LinesPerEvent = 10 };
    private readonly FloodFilter _filter;
    private readonly Logger _serilog;
    private readonly SerilogLoggerFactory _loggers;
    private readonly Microsoft.Extensions.Logging.ILogger _logger;
    private readonly List<(LogEventLevel Level, string Text)> _lines = [];

    public FloodFilterTests()
    {
        _filter = new FloodFilter(_settings, _time);
        _serilog = new LoggerConfiguration().MinimumLevel.Verbose().WriteTo.Sink(new LineSink(_lines)).Filter.With(_filter).CreateLogger();
        _filter.LogTo(_serilog);
        _ = _filter.StartAsync(CancellationToken.None); // it completes synchronously
        _loggers = new SerilogLoggerFactory(_serilog);
        _logger = _loggers.CreateLogger("Tests");
    }

    public void Dispose()
    {
        _filter.Dispose();
        _loggers.Dispose();
        _serilog.Dispose();
    }

    [Fact]
    public void An_address_is_logged_once_and_then_counted_each_time_the_period_is_over()
    {
        Refuse("10.0.0.7", times: 1235);
        Refuse("10.0.0.8");
        Assert.Equal(2, _lines.Count);

        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal((LogEventLevel.Information, "\"LoginRefused\": 1,234 more from \"10.0.0.7\" in the last 10 s."), _lines[2]);
        Assert.Equal(1234, _filter.LeftOut);

        // The report was the line of the second period, so a further one waits for the end of that.
        Refuse("10.0.0.7", times: 5);
        Assert.Equal(3, _lines.Count);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal("\"LoginRefused\": 5 more from \"10.0.0.7\" in the last 10 s.", _lines[3].Text);

        _time.Advance(TimeSpan.FromSeconds(10));
        Refuse("10.0.0.7");
        Assert.Equal(5, _lines.Count);
    }

    [Fact]
    public void No_line_of_the_audit_log_is_left_out()
    {
        for (int i = 0; i < 20; i++)
        {
            AuditLog.AdminAction(_logger, "An operator", IPAddress.Loopback, "DELETE", "/api/v1/sessions/1", "refused with 404");
            AuditLog.Moderated(_logger, 1, 1, ModerationAction.Ban, 2, 3, "Bob was banned by Ann.");
            AuditLog.RoomModerated(_logger, 1, 1, ModerationAction.Lock, 3, "Ann locked the room.");
            AuditLog.MessageDeleted(_logger, 1, 1, 4, 2, 3);
            AuditLog.Reported(_logger, 1, 1, 4, 2, 3, 5);
            AuditLog.ReportResolved(_logger, 1, 1, 5, 3);
        }

        Assert.Equal(120, _lines.Count);
    }

    [Theory]
    [InlineData("2001:db8::1", "2001:db8::2", true)]
    [InlineData("2001:db8::1", "2001:db8:0:1::1", false)]
    [InlineData("::ffff:10.0.0.7", "10.0.0.7", true)]
    [InlineData("::1", "::2", false)]
    public void Addresses_of_one_network_are_one_source(string first, string second, bool isOne)
    {
        Refuse(first);
        Refuse(second);

        Assert.Equal(isOne ? 1 : 2, _lines.Count);
    }

    [Fact]
    public void Many_addresses_together_have_so_many_lines_and_one_report()
    {
        for (int i = 0; i < 100; i++)
        {
            Refuse($"10.0.0.{i}", times: 3);
        }

        Assert.Equal(10, _lines.Count);
        _time.Advance(TimeSpan.FromSeconds(10));

        // Ten are known by name, with two more lines each; of ninety others every line was left out.
        Assert.Equal(21, _lines.Count);
        Assert.Equal("\"LoginRefused\": 270 more from \"other sources\" in the last 10 s.", _lines[^1].Text);
        Assert.Equal(290, _filter.LeftOut);
    }

    [Fact]
    public void Players_behind_one_address_are_sources_of_their_own()
    {
        for (int player = 1; player <= 5; player++)
        {
            ServerLog.LoggedIn(_logger, player, "ann", player, new IPEndPoint(IPAddress.Loopback, 1), "test");
            ServerLog.LoggedIn(_logger, player, "ann", player, new IPEndPoint(IPAddress.Loopback, 1), "test");
        }

        Assert.Equal(5, _lines.Count);
    }

    [Fact]
    public void Each_event_is_counted_for_itself_and_Debug_is_not_counted()
    {
        Refuse("10.0.0.7");
        ServerLog.Registered(_logger, 1, "ann", 1);
        ServerLog.KpiConsoleFailed(_logger, "no terminal");
        for (int i = 0; i < 20; i++)
        {
            ServerLog.ResumeRefused(_logger, i, new IPEndPoint(IPAddress.Loopback, 1));
        }

        Assert.Equal(23, _lines.Count);
    }

    [Fact]
    public async Task A_stop_says_what_is_still_counted()
    {
        Refuse("10.0.0.7", times: 3);
        _time.Advance(TimeSpan.FromSeconds(2));
        await _filter.StopAsync(CancellationToken.None);

        Assert.Equal("\"LoginRefused\": 2 more from \"10.0.0.7\" in the last 2 s.", _lines[^1].Text);
    }

    [Fact]
    public void New_limits_take_effect_at_once()
    {
        Refuse("10.0.0.7", times: 2);
        _settings.RepeatAfter = TimeSpan.FromSeconds(1);
        _time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(2, _lines.Count);
    }

    private void Refuse(string address, int times = 1)
    {
        for (int i = 0; i < times; i++)
        {
            ServerLog.LoginRefused(_logger, "ann", i, new IPEndPoint(IPAddress.Parse(address), 1024 + i), ErrorCode.LoginRefused);
        }
    }

    private sealed class LineSink(List<(LogEventLevel Level, string Text)> lines) : ILogEventSink
    {
        public void Emit(LogEvent logEvent) => lines.Add((logEvent.Level, logEvent.RenderMessage(CultureInfo.InvariantCulture)));
    }
}
