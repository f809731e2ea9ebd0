using PlayChat.Cluster.Tests.Local;
using PlayChat.Recording;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests.Rooms;

/// <summary>A room that several servers share is recorded on the node that runs it, and replayed without a cluster.</summary>
public sealed class RecordedHallTests() : HallContract(LocalSpace.CreateAsync)
{
    [Fact]
    public async Task What_members_of_all_nodes_do_is_repeated()
    {
        using var folder = new TemporaryDirectory();
        var recordings = new RoomRecordings(options => options.Folder = folder.Path);
        HallNode first = await StartAsync(recordings: recordings);
        HallNode second = await StartAsync();
        HallClient ann = await first.JoinAsync("ann");
        HallClient bob = await second.JoinAsync("bob");
        ann.Say("before");
        await bob.WaitForAsync("ann before #1");

        RoomRecording recording = await recordings.StartAsync(HallName);
        ann.Say("hello");
        await bob.WaitForAsync("ann hello #2");
        HallClient cy = await second.JoinAsync("cy");
        bob.Say("hello");
        await cy.WaitForAsync("bob hello #3");
        bob.Connection.Close();
        await ann.WaitForAsync(static heard => heard.StartsWith("bob left", StringComparison.Ordinal));
        RecordingResult result = await recording.StopAsync();

        RoomReplayResult<Hall> replay = await RoomReplay.RunAsync<Hall>(
            result.Path, static server => server.UsePackets(HallPackets.All).OnPackets(HallNode.MapHall));

        replay.ThrowIfDiverged();
        Assert.Equal(RecordingEnd.Stopped, replay.End);
        Assert.Equal(result.Turns, replay.Turns);
        Assert.True(replay.Room.IsClustered);
        Assert.Equal(2, replay.Room.MemberCount);
    }

    [Fact]
    public async Task A_node_that_does_not_run_the_room_says_so()
    {
        using var folder = new TemporaryDirectory();
        var recordings = new RoomRecordings(options => options.Folder = folder.Path);
        await StartAsync();
        await StartAsync(recordings: recordings);

        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => recordings.StartAsync(HallName));

        Assert.Contains("Another node", refused.Message, StringComparison.Ordinal);
    }
}
