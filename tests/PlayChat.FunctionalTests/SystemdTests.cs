using PlayChat.Core;
using PlayChat.FunctionalTests.Cluster;
using PlayChat.FunctionalTests.Harness;

namespace PlayChat.FunctionalTests;

/// <summary>The units of deploy/systemd under a real systemd.</summary>
[Trait("Tier", "Full")]
public sealed class SystemdTests
{
    [Fact]
    public async Task A_reload_closes_no_connection_and_a_restart_loses_nothing_under_20_000_messages_a_second()
    {
        Assert.SkipUnless(Systemd.IsAvailable, Systemd.SkipReason);
        await using Systemd systemd = await Systemd.StartAsync();
        // 40 clients say 1,000 messages a second, and 20 hear each.
        await using ClusterLoad load = await ClusterLoad.StartAsync([systemd.Port], clients: 40, rooms: 2, TimeSpan.FromMilliseconds(40));
        await load.WaitForAsync(1000);

        await systemd.RunAsync("reload-or-restart", "playchat.service");
        await load.WaitForAsync(1000);
        Assert.All(load.Talkers, static talker => Assert.Empty(talker.Breaks));

        await systemd.RunAsync("restart", "playchat.service");
        await load.WaitForAsync(1000);
        await load.StopAsync();
        load.Verify();
        Assert.All(load.Talkers, static talker => Assert.Equal([CloseReason.ServerShutdown], talker.Breaks));
        string status = await systemd.RunAsync("show", "--property=StatusText", "playchat.service");
        Assert.StartsWith("StatusText=Serving ", status, StringComparison.Ordinal);
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"The longest time without a server was {load.Talkers.Max(static talker => talker.LongestBreak)}.");
    }

    [Fact]
    public async Task A_client_starts_a_stopped_service_by_its_socket_and_a_killed_one_is_started_again()
    {
        Assert.SkipUnless(Systemd.IsAvailable, Systemd.SkipReason);
        await using Systemd systemd = await Systemd.StartAsync();
        await systemd.RunAsync("stop", "playchat.service");

        await using ClusterLoad load = await ClusterLoad.StartAsync([systemd.Port], clients: 2, rooms: 1);
        await load.WaitForAsync(10);
        await systemd.RunAsync("kill", "--signal=KILL", "playchat.service");
        await load.WaitForAsync(10);
        await load.StopAsync();

        Assert.Equal("NRestarts=1", await systemd.RunAsync("show", "--property=NRestarts", "playchat.service"));
        Assert.All(load.Talkers, static talker => Assert.Single(talker.Breaks));
    }
}
