using PlayChat.Cluster.Broadcast;
using PlayChat.Cluster.Log;
using PlayChat.Core;
using PlayChat.Core.Dispatch;
using PlayChat.TestUtilities;
using static PlayChat.Cluster.Tests.Rooms.HallPackets;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>What members, and sessions of all nodes, hear of a room that several servers share.</summary>
public abstract class DeliveryContract(Func<Task<BackplaneSpace>> createSpace) : HallContract(createSpace)
{
    [Fact]
    public async Task Members_on_all_nodes_hear_everything_once_and_in_one_order()
    {
        const int each = 50;
        (_, HallNode second, HallClient ann, HallClient bob) = await StartTwoAsync();
        HallClient[] clients = [ann, bob, await second.JoinAsync("cid")];

        await Task.WhenAll(clients.Select(client => Task.Run(() =>
        {
            for (int i = 0; i < each; i++)
            {
                client.Say($"says {i}");
            }
        })));
        int all = each * clients.Length;
        await Task.WhenAll(clients.Select(client => client.WaitForAsync(text => text.EndsWith($"#{all}", StringComparison.Ordinal))));

        string[][] heard = [.. clients.Select(static client => client.Heard.Where(static text => text.Contains('#')).ToArray())];
        Assert.Equal(Enumerable.Range(1, all), heard[0].Select(static text => int.Parse(text.Split('#')[1], null)));
        Assert.All(heard, list => Assert.Equal(heard[0], list));
        foreach (string name in new[] { "ann", "bob", "cid" })
        {
            string[] said = [.. Enumerable.Range(0, each).Select(i => $"{name} says {i}")];
            string[] own = [.. heard[0].Where(text => text.StartsWith(name, StringComparison.Ordinal))];
            Assert.Equal(said, own.Select(static text => text.Split(" #")[0]).ToArray());
        }
    }

    [Fact]
    public async Task The_owner_handles_what_members_on_other_nodes_send_and_answers_them()
    {
        (_, _, HallClient ann, HallClient bob) = await StartTwoAsync();
        await ann.WaitForAsync("bob is here");

        bob.Say("hello");
        string[] told = await bob.AskAsync("others");
        string[] toldAnn = await ann.AskAsync();
        await bob.AskAsync("reply");
        await bob.AskAsync("large");

        Assert.Equal(["1", "2", .. HallName.Split(' ')], told[1..]); // bob has spoken once, and there are two members
        Assert.Equal("0", toldAnn[1]);
        Assert.Equal(told[0], toldAnn[0]); // one object has answered both
        Assert.Contains("to others", ann.Heard, StringComparer.Ordinal);
        Assert.DoesNotContain("to others", bob.Heard, StringComparer.Ordinal);
        await bob.WaitForAsync("a reply");
        Assert.Equal(["welcome ann ann", "bob is here", "bob hello #1", "to others"], ann.Heard);
    }

    [Fact]
    public async Task A_broadcast_of_a_node_reaches_the_logged_in_sessions_of_all_nodes()
    {
        (HallNode first, _, HallClient ann, HallClient bob) = await StartTwoAsync();

        PublishResult result = await first.Server.Sessions.BroadcastPacketAsync(new Said("to everybody")).WaitAsync(TestTimeouts.Hang);

        Assert.Equal(PublishResult.Accepted, result);
        await ann.WaitForAsync("to everybody");
        await bob.WaitForAsync("to everybody");
    }

    [Fact]
    public async Task What_a_room_sends_while_the_log_refuses_it_arrives_in_order_when_the_log_accepts()
    {
        (HallNode first, _, HallClient ann, HallClient bob) = await StartTwoAsync();
        await ann.WaitForAsync("bob is here");

        first.Switch.IsRefused = true;
        Task<string[]> told = bob.AskAsync("direct");
        bob.Connection.SendPacket(new Ask("warn and kick"));
        await Eventually.TrueAsync(() => first.Switch.Refusals > 2);
        first.Switch.IsRefused = false;

        await told;
        Assert.Equal(CloseReason.PeerClosed, await bob.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        await ann.WaitForAsync("bob left SessionEnded");
        Assert.Equal(["welcome bob bob", "direct 1", "direct 2", "a warning"], bob.Heard);
    }

    [Fact]
    public async Task What_a_former_owner_sends_after_another_node_has_taken_over_reaches_no_member()
    {
        (HallNode first, _, HallClient ann, HallClient bob) = await StartTwoAsync();
        string former = (await ann.AskAsync("pulse"))[0];
        await bob.WaitForAsync($"pulse {former}");

        await first.Switch.DeafenAsync(); // it does not learn that it is declared dead, and its room continues
        await bob.WaitForAsync("ann left NodeLost");
        int heard = bob.Heard.Count;
        int pulses = Hall.Pulses[former];
        await Eventually.TrueAsync(() => Hall.Pulses[former] > pulses + 5); // these records are in the log, behind the end of the node
        string[] told = await bob.AskAsync();
        first.Switch.Hear();

        Assert.Equal(CloseReason.NodeFenced, await ann.Connection.Closed.WaitAsync(TestTimeouts.Hang));
        await bob.AskAsync();
        Assert.NotEqual(former, told[0], StringComparer.Ordinal);
        Assert.DoesNotContain($"pulse {former}", bob.Heard.Skip(heard), StringComparer.Ordinal);
        HallClient again = await first.JoinAsync("ann"); // the node has joined the cluster again
        Assert.Equal(told[0], (await again.AskAsync())[0]);
        Assert.DoesNotContain($"pulse {former}", again.Heard, StringComparer.Ordinal);
    }
}
