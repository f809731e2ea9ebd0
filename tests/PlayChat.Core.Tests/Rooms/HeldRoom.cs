using PlayChat.Core.Rooms;
using PlayChat.TestUtilities;

namespace PlayChat.Core.Tests.Rooms;

/// <summary>A room that is kept in a turn, so that what is queued stays there until it is released.</summary>
internal sealed class HeldRoom : IDisposable
{
    private readonly ManualResetEventSlim _released = new();
    private readonly TaskCompletionSource _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private HeldRoom()
    {
    }

    /// <summary>Completes when the turn has begun.</summary>
    /// <param name="room">What is held.</param>
    /// <param name="atEnd">What the turn does when it is released.</param>
    internal static async Task<HeldRoom> HoldAsync<TRoom>(TRoom room, Action<TRoom>? atEnd = null)
        where TRoom : Room
    {
        var held = new HeldRoom();
        Assert.True(room.Post((TRoom inTurn) =>
        {
            held._entered.SetResult();
            held._released.Wait(TestTimeouts.Hang);
            atEnd?.Invoke(inTurn);
        }));
        await held._entered.Task.WaitAsync(TestTimeouts.Hang);
        return held;
    }

    internal void Release() => _released.Set();

    public void Dispose()
    {
        Release();
        // Not disposed: the turn may still look at it.
    }
}
