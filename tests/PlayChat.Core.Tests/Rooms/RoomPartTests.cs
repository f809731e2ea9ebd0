using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

public sealed class RoomPartTests
{
    [Fact]
    public async Task What_a_part_throws_keeps_nothing_from_the_room_and_from_the_parts_behind_it()
    {
        var logger = new RecordingLogger();
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync(server => server.UseLogging(logger));
        var behind = new Part(isFaulty: false);
        await AddAsync(harness, behind);
        HarnessClient client = await harness.ConnectAsync();

        JoinResult<TestMember> joined = await harness.Room.JoinAsync(client.Session);
        bool hasLeft = await harness.Room.LeaveAsync(client.Session);
        await harness.IdleAsync();

        Assert.Equal((JoinStatus.Joined, true), (joined.Status, hasLeft));
        Assert.Equal(["create", "joining", "enter", "leave Left", "empty"], harness.Room.Hooks);
        Assert.Equal(["joined", "leave Left"], behind.Calls);
        Assert.True(behind.TurnEnds > 0);
        Assert.Equal(2 + behind.TurnEnds, logger.Count("HookFault"));
    }

    [Fact]
    public async Task A_removed_room_ends_although_a_part_throws_at_each_leave()
    {
        await using RoomHarness<MemberRoom> harness = await MemberRoom.StartAsync();
        var behind = new Part(isFaulty: false);
        await AddAsync(harness, behind);
        foreach (HarnessClient client in await harness.ConnectAsync(2))
        {
            await harness.Room.JoinAsync(client.Session);
        }

        await harness.InTurnAsync(static room => room.Remove());

        Assert.Equal(["leave RoomRemoved", "leave RoomRemoved", "empty", "dispose"], harness.Room.Hooks[^4..]);
        Assert.Equal(["leave RoomRemoved", "leave RoomRemoved"], behind.Calls[^2..]);
    }

    /// <summary>Adds a part that throws, and another one behind it.</summary>
    private static Task AddAsync(RoomHarness<MemberRoom> harness, Part behind) => harness.InTurnAsync(room =>
    {
        room.Add(new Part(isFaulty: true));
        room.Add(behind);
    });

    private sealed class Part(bool isFaulty) : RoomPart
    {
        internal List<string> Calls { get; } = [];

        internal int TurnEnds { get; private set; }

        protected internal override void OnJoined(RoomMember member) => Note("joined");

        protected internal override void OnLeave(RoomMember member, LeaveReason reason) => Note($"leave {reason}");

        protected internal override void OnTurnEnd()
        {
            TurnEnds++;
            ThrowIfFaulty();
        }

        private void Note(string call)
        {
            Calls.Add(call);
            ThrowIfFaulty();
        }

        private void ThrowIfFaulty()
        {
            if (isFaulty)
            {
                throw new InvalidOperationException("A fault of a part.");
            }
        }
    }
}
