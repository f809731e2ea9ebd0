using System.Collections.Concurrent;
using System.Reflection;
using PlayChat.Storage;

namespace PlayChat.Server.Tests.Rooms;

/// <summary>A store that takes what becomes of rooms, as the test says, and nothing else. Thread-safe.</summary>
internal sealed class RoomStates
{
    private int _saves;

    private RoomStates()
    {
    }

    public IChatStore Store { get; private set; } = null!;

    /// <summary>Rooms that were to be noted as new.</summary>
    public int Saves => Volatile.Read(ref _saves);

    /// <summary>Rooms whose state was to be noted, once each time.</summary>
    public ConcurrentQueue<long> Noted { get; } = new();

    /// <summary>What noting a new room waits for.</summary>
    public Func<Task> OnSave { get; set; } = static () => Task.CompletedTask;

    /// <summary>What noting the state of a room gives.</summary>
    public Func<long, CancellationToken, Task<bool>> OnSetState { get; set; } = static (_, _) => Task.FromResult(true);

    public static RoomStates Create()
    {
        var states = new RoomStates { Store = DispatchProxy.Create<IChatStore, Proxy>() };
        ((Proxy)(object)states.Store).States = states;
        return states;
    }

    private Task SaveAsync()
    {
        Interlocked.Increment(ref _saves);
        return OnSave();
    }

    private Task<bool> SetStateAsync(long roomId, CancellationToken cancellationToken)
    {
        Noted.Enqueue(roomId);
        return OnSetState(roomId, cancellationToken);
    }

#pragma warning disable CA1852 // DispatchProxy derives from it when the test runs
    public class Proxy : DispatchProxy
    {
        internal RoomStates States { get; set; } = null!;

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => targetMethod!.Name switch
        {
            nameof(IChatStore.SaveRoomAsync) => States.SaveAsync(),
            nameof(IChatStore.SetRoomStateAsync) => States.SetStateAsync((long)args![0]!, (CancellationToken)args[3]!),
            _ => throw new NotSupportedException(targetMethod.Name),
        };
    }
#pragma warning restore CA1852
}
