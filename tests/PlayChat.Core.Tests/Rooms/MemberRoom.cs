using System.Text;
using PlayChat.Core.Hosting;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A room that notes its hooks, and checks that no two of its turns run at once.</summary>
internal sealed class MemberRoom(RoomContext context) : Room<TestMember, object?>(context)
{
    private int _inTurn;

    /// <summary>The hooks that were called, in order. For the turn, or when the room is at rest.</summary>
    internal List<string> Hooks { get; } = [];

    /// <summary>The hook that throws, by its name.</summary>
    internal string? Faulty { get; set; }

    /// <summary>Why everybody is refused.</summary>
    internal string? Refusal { get; init; }

    /// <summary>Whether the room broadcasts no message when a member enters.</summary>
    internal bool IsQuiet { get; init; }

    /// <summary>Who enters is sent away at once.</summary>
    internal bool SendsAway { get; init; }

    /// <summary>Broadcast to the members when a member leaves.</summary>
    internal string Farewell { get; init; } = "left";

    /// <summary>Runs in <see cref="OnDispose"/>.</summary>
    internal Action? Disposing { get; set; }

    /// <summary>A harness with such a room.</summary>
    internal static Task<RoomHarness<MemberRoom>> StartAsync(Action<PlayChatServer>? configure = null) =>
        HarnessSteps.StartAsync(static context => new MemberRoom(context), configure);

    internal new RoomMembers<TestMember> Members => base.Members;

    internal ValueTask<JoinResult<TestMember>> JoinAsync(
        Session session, string? password = null, CancellationToken cancellationToken = default) =>
        JoinAsync(session, null, password, cancellationToken);

    internal JoinResult<TestMember> Join(Session session) => Join(session, null);

    internal new bool Leave(Session session) => base.Leave(session);

    internal void Add(RoomPart part) => AddPart(part);

    internal new void Remove() => base.Remove();

    internal void Lock() => SetLocked(true);

    internal void Unlock() => SetLocked(false);

    internal new void SetPrivate(bool isPrivate) => base.SetPrivate(isPrivate);

    internal new void SetProperty(string key, string? value) => base.SetProperty(key, value);

    internal new void SetOwner(long? ownerId) => base.SetOwner(ownerId);

    internal new void SetPassword(string? password) => base.SetPassword(password);

    internal void Broadcast(string text) => Broadcast(Encoding.Latin1.GetBytes(text));

    protected override void OnCreate() => Note("create");

    protected override JoinDecision<TestMember> OnJoining(Session session, object? argument)
    {
        Note("joining");
        return Refusal is { } reason ? Refuse(reason) : new TestMember(session, argument);
    }

    protected override void OnJoined(TestMember member)
    {
        Note("enter");
        Assert.Same(member, Find(member.Session));
        if (!IsQuiet)
        {
            Broadcast("entered");
        }

        if (SendsAway)
        {
            Assert.True(Leave(member.Session));
        }
    }

    protected override void OnLeave(TestMember member, LeaveReason reason)
    {
        Note($"leave {reason}");
        Assert.Null(Find(member.Session));
        Broadcast(Farewell);
    }

    protected override void OnEmpty() => Note("empty");

    protected override void OnDispose()
    {
        Disposing?.Invoke();
        Note("dispose");
    }

    private void Note(string hook)
    {
        Assert.Equal(1, Interlocked.Increment(ref _inTurn));
        Hooks.Add(hook);
        Interlocked.Decrement(ref _inTurn);
        if (hook.Split(' ')[0] == Faulty)
        {
            throw new InvalidOperationException($"A fault in {hook}.");
        }
    }
}
