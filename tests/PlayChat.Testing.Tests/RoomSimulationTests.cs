using PlayChat.Core;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Recording;

namespace PlayChat.Testing.Tests;

/// <summary>Rooms in simulated worlds: a right one survives, and each of several wrong ones is found.</summary>
public sealed class RoomSimulationTests
{
    private enum Fault
    {
        None,
        CountsLeavers, // keeps the score of a member that was away when its session ended
        Throws, // when a member that is away is the only one
        IsRandom,
    }

    [Fact]
    public async Task A_right_room_survives_and_the_same_seeds_give_the_same_hash()
    {
        long first = await Simulate(Fault.None).RunAsync(seeds: 20);
        long second = await Simulate(Fault.None).RunAsync(seeds: 20);

        Assert.Equal(first, second);
        Assert.NotEqual(first, await Simulate(Fault.None).RunAsync(seeds: 20, first: 21));
    }

    [Fact]
    public async Task A_room_that_breaks_an_invariant_is_named_with_its_seed_and_a_short_history_that_repeats_it()
    {
        var thrown = await Assert.ThrowsAsync<RoomSimulationException>(() => Simulate(Fault.CountsLeavers).RunAsync(seeds: 500));

        Assert.StartsWith($"Seed {thrown.Seed} fails: 1 scores for 0 members", thrown.Message, StringComparison.Ordinal);
        Assert.Contains("loses the connection", thrown.Message, StringComparison.Ordinal);
        Assert.InRange(thrown.Message.Split('\n').Length, 4, 10); // of 60 steps
        var again = await Assert.ThrowsAsync<RoomSimulationException>(
            () => Simulate(Fault.CountsLeavers).RunAsync(seeds: 1, first: thrown.Seed));
        Assert.Equal(thrown.Message, again.Message);
    }

    [Fact]
    public async Task An_exception_of_the_room_is_found()
    {
        var thrown = await Assert.ThrowsAsync<RoomSimulationException>(() => Simulate(Fault.Throws).RunAsync(seeds: 500));

        Assert.Equal("The last member is away.", Assert.IsType<InvalidOperationException>(thrown.InnerException).Message);
    }

    [Fact]
    public async Task A_room_that_is_not_repeatable_is_found()
    {
        var thrown = await Assert.ThrowsAsync<RoomSimulationException>(() => Simulate(Fault.IsRandom).RunAsync(seeds: 1));

        Assert.StartsWith("Seed 1 gave two different worlds: connection", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_seed_that_fails_leaves_a_recording_that_fails_in_a_replay_and_seeds_that_pass_leave_none()
    {
        using var folder = new TemporaryDirectory();

        await Simulate(Fault.None, folder.Path).RunAsync(seeds: 20);
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path));
        var thrown = await Assert.ThrowsAsync<RoomSimulationException>(
            () => Simulate(Fault.CountsLeavers, folder.Path).RunAsync(seeds: 500));

        string file = Assert.Single(Directory.GetFiles(folder.Path));
        Assert.Equal(Path.Combine(folder.Path, $"TallyRoom-{thrown.Seed}.pcr"), file);
        Assert.EndsWith($"Its recording: {file}", thrown.Message, StringComparison.Ordinal);
        var replay = await Assert.ThrowsAsync<RoomReplayException>(() => RoomReplay.RunAsync<TallyRoom>(file, options: new()
        {
            Make = static context => new TallyRoom(context, Fault.CountsLeavers),
            Check = static room => room.Check(),
            SkipsUnnamedJobs = true, // the simulation looks at the room after each step
        }));
        Assert.EndsWith("the check failed: 1 scores for 0 members.", replay.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_world_that_is_not_recorded_says_why()
    {
        using var folder = new TemporaryDirectory();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "file"), "");
        RoomSimulation<TallyRoom> simulation = Simulate(Fault.CountsLeavers, Path.Combine(folder.Path, "file"));

        var thrown = await Assert.ThrowsAsync<RoomSimulationException>(() => simulation.RunAsync(seeds: 500));

        Assert.Contains("It is not recorded: ", thrown.Message.Split('\n')[^1], StringComparison.Ordinal);
    }

    private static RoomSimulation<TallyRoom> Simulate(Fault fault, string? folder = null) => new()
    {
        RecordingFolder = folder ?? Path.Combine(AppContext.BaseDirectory, "recordings"),
        Make = context => new TallyRoom(context, fault),
        Join = static async (room, session, _) => (await room.JoinAsync(session)).IsJoined,
        Leave = static (room, session) => room.LeaveAsync(session).AsTask(),
        Act = static (client, random) => client.Send([(byte)random.Next(10)], new FrameHeader(PacketId: 1)),
        Check = static room => room.Check(),
    };

    /// <summary>A room that adds up what its members send, and tells them.</summary>
    private sealed class TallyRoom(RoomContext context, Fault fault) : Room<RoomMember>(context)
    {
        private readonly Random _random = context.Random;
        private readonly Dictionary<long, int> _scores = [];

        internal void Check()
        {
            if (_scores.Count != Members.Count)
            {
                throw new InvalidOperationException($"{_scores.Count} scores for {Members.Count} members.");
            }
        }

        protected override JoinDecision<RoomMember> OnJoining(Session session) => new RoomMember(session);

        protected override void OnJoined(RoomMember member) => _scores.Add(member.Session.Id, 0);

        protected override void OnAway(RoomMember member)
        {
            if (fault == Fault.Throws && Members.Count == 1)
            {
                throw new InvalidOperationException("The last member is away.");
            }
        }

        protected override void OnLeave(RoomMember member, LeaveReason reason)
        {
            if (fault != Fault.CountsLeavers || !member.IsAway)
            {
                _scores.Remove(member.Session.Id);
            }
        }

        protected override void OnFrame(Session from, FrameHeader header, ReadOnlySpan<byte> body)
        {
            if (_scores.TryGetValue(from.Id, out int score))
            {
                _scores[from.Id] = score + body[0];
                int packet = (fault == Fault.IsRandom ? Random.Shared : _random).Next(2, 100);
                Broadcast(body, new FrameHeader(PacketId: (ushort)packet));
            }
        }
    }
}
