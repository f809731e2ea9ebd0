using System.Reflection;
using System.Runtime.CompilerServices;
using PlayChat.Core.Framing;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>What belongs to a room's turn throws elsewhere: outside the turn it would be a data race without an error.</summary>
public sealed class OutsideTurnTests
{
    private static readonly Dictionary<string, Action<OpenRoom>> s_members = new(StringComparer.Ordinal)
    {
        ["Members"] = static room => _ = room.Count,
        ["Find"] = static room => room.Find(room.Some),
        ["Join"] = static room => room.Join(room.Some),
        ["Leave"] = static room => room.Leave(room.Some),
        ["Remove"] = static room => room.Remove(),
        ["AddPart"] = static room => room.AddPart(),
        ["SetLocked"] = static room => room.SetLocked(true),
        ["SetPrivate"] = static room => room.SetPrivate(true),
        ["SetProperty"] = static room => room.SetProperty("map", "1"),
        ["SetOwner"] = static room => room.SetOwner(1),
        ["SetPassword"] = static room => room.SetPassword("secret"),
        ["StartTick"] = static room => room.StartTick(10),
        ["StopTick"] = static room => room.StopTick(),
        ["After"] = static room => room.After(TimeSpan.FromSeconds(1), static () => { }),
        ["Every"] = static room => room.Every(TimeSpan.FromSeconds(1), static () => { }),
        ["Broadcast"] = static room => room.Broadcast(),
        ["BroadcastTo"] = static room => room.BroadcastTo(),
        ["Send"] = static room => room.Send(),
        ["ContinueTrace"] = static room => room.ContinueTrace(default),
        ["BroadcastPacket"] = static room => room.BroadcastPacket(1),
        ["BroadcastPacketTo"] = static room => room.BroadcastPacketTo([room.Some], 1),
        ["Transfer"] = static room => room.Transfer(),
        ["FindNodes"] = static room => room.FindNodes(),
        ["SendPacket"] = static room => room.SendPacket(room.Some, 1),
    };

    public static TheoryData<string> Names => [.. s_members.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task A_call_from_outside_throws_and_says_what_to_do(string name)
    {
        await using RoomHarness<OpenRoom> harness = await StartAsync();
        harness.Room.Some = (await harness.ConnectAsync()).Session;

        // The name of a private overload or helper is the member's own, too.
        var thrown = Assert.Throws<InvalidOperationException>(() => s_members[name](harness.Room));

        Assert.StartsWith($"{name} was called outside the turn of room 1 (room)", thrown.Message, StringComparison.Ordinal);
        Assert.Contains("room.Post(", thrown.Message, StringComparison.Ordinal);
        Assert.Equal((0, false), (harness.Room.MemberCount, harness.Room.IsRemoved));
    }

    [Fact]
    public void Every_protected_member_that_is_no_hook_is_among_them()
    {
        IEnumerable<string> names =
            from type in new[] { typeof(Room), typeof(MemberRoom<>), typeof(Room<>), typeof(Room<,>) }
            from method in type.GetMethods(
                BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly)
            where (method.IsFamily || method.IsFamilyOrAssembly) && !method.IsVirtual
                && method.Name is not ("Encode" or "TryDecode") // they read the packets alone
            select method.Name.Replace("get_", "", StringComparison.Ordinal);

        Assert.Equal(
            s_members.Keys.Order(StringComparer.Ordinal),
            names.Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal),
            StringComparer.Ordinal);
    }

    [Fact]
    public async Task A_call_from_another_thread_throws_during_a_turn_as_well()
    {
        await using RoomHarness<OpenRoom> harness = await StartAsync();
        using HeldRoom held = await HeldRoom.HoldAsync(harness.Room);

        Assert.Throws<InvalidOperationException>(harness.Room.Broadcast);
    }

    [Fact]
    public async Task The_code_behind_an_await_is_outside()
    {
        await using RoomHarness<OpenRoom> harness = await StartAsync();
        var waiting = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task broadcasting = Task.CompletedTask;
        await harness.InTurnAsync(room => broadcasting = BroadcastLaterAsync(room, waiting.Task));

        waiting.SetResult();

        await Assert.ThrowsAsync<InvalidOperationException>(() => broadcasting.WaitAsync(TestTimeouts.Hang));
    }

    [Fact]
    public async Task A_timer_is_cancelled_in_the_turn_only()
    {
        await using RoomHarness<OpenRoom> harness = await StartAsync();
        RoomTimer timer = null!;
        await harness.InTurnAsync(room => timer = room.After(TimeSpan.FromSeconds(1), static () => { }));

        Assert.Throws<InvalidOperationException>(timer.Cancel);
        await harness.InTurnAsync(_ => timer.Cancel());
    }

    [Fact]
    public async Task A_constructor_may_set_its_room_up()
    {
        int ticks = 0;
        await using RoomHarness<OpenRoom> harness = await HarnessSteps.StartAsync(context =>
        {
            var room = new OpenRoom(context);
            room.SetProperty("map", "1");
            room.Every(TimeSpan.FromSeconds(1), () => ticks++);
            return room;
        });

        await harness.AdvanceAsync(TimeSpan.FromSeconds(1));

        Assert.Equal(("1", 1), (harness.Room.Info.Properties["map"], ticks));
    }

    private static Task<RoomHarness<OpenRoom>> StartAsync() => HarnessSteps.StartAsync(static context => new OpenRoom(context));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task BroadcastLaterAsync(OpenRoom room, Task until)
    {
        await until.ConfigureAwait(false);
        room.Broadcast();
    }

    /// <summary>A room whose protected members anybody may call.</summary>
    internal sealed class OpenRoom(RoomContext context) : Room<TestMember>(context)
    {
        internal Session Some { get; set; } = null!;

        internal int Count => Members.Count;

        internal new TestMember? Find(Session session) => base.Find(session);

        internal new JoinResult<TestMember> Join(Session session) => base.Join(session);

        internal new bool Leave(Session session) => base.Leave(session);

        internal new void Remove() => base.Remove();

        internal new void SetLocked(bool isLocked) => base.SetLocked(isLocked);

        internal new void SetPrivate(bool isPrivate) => base.SetPrivate(isPrivate);

        internal new void SetProperty(string key, string? value) => base.SetProperty(key, value);

        internal void AddPart() => AddPart(new NoPart());

        internal void Transfer() => Transfer([Some], default);

        internal void FindNodes() => FindNodes([Some]);

        internal new void SetOwner(long? ownerId) => base.SetOwner(ownerId);

        internal new void SetPassword(string? password) => base.SetPassword(password);

        internal new void StartTick(double hertz) => base.StartTick(hertz);

        internal new void StopTick() => base.StopTick();

        internal new RoomTimer After(TimeSpan delay, Action job) => base.After(delay, job);

        internal new RoomTimer Every(TimeSpan period, Action job) => base.Every(period, job);

        internal void Broadcast() => Broadcast("all"u8);

        internal void BroadcastTo() => BroadcastTo([Some], "some"u8);

        internal void Send() => Send(Some, default(FrameHeader), 1, 0, static (body, _) => body.Clear());

        internal void BroadcastPacket(int number) => BroadcastPacket<int>(number);

        internal void BroadcastPacketTo(ReadOnlySpan<Session> to, int number) => BroadcastPacketTo<int>(to, number);

        internal void SendPacket(Session to, int number) => SendPacket<int>(to, number);

        protected override JoinDecision<TestMember> OnJoining(Session session) => new TestMember(session, argument: null);
    }

    private sealed class NoPart : RoomPart;
}
