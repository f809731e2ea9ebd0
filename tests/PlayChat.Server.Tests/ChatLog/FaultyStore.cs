using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Storage;

namespace PlayChat.Server.Tests.ChatLog;

/// <summary>The real store, until it is told to fail or to wait.</summary>
internal sealed class FaultyStore
{
    private IChatStore? _inner;
    private IDirectStore? _direct;
    private int _bansRead;

    /// <summary>What looking for an account or a resume token throws; null for nothing.</summary>
    public Exception? Fault { get; set; }

    /// <summary>What saving a room or its members fails with; null for nothing.</summary>
    public Exception? RoomFault { get; set; }

    /// <summary>What listing the bans throws; null for nothing.</summary>
    public Exception? BansFault { get; set; }

    /// <summary>What removing the expired bans throws; null for nothing.</summary>
    public Exception? BanRemovalFault { get; set; }

    /// <summary>What listing the bans waits for; null for nothing.</summary>
    public Task? BansWaitFor { get; set; }

    /// <summary>How often the bans were asked for.</summary>
    public int BansRead => Volatile.Read(ref _bansRead);

    /// <summary>What appending waits for; null for nothing.</summary>
    public Task? AppendWaitsFor { get; set; }

    /// <summary>What storing and erasing direct messages waits for; null for nothing.</summary>
    public Task? DirectWaitsFor { get; set; }

    /// <summary>Runs before the players are read that a player has blocked; null for nothing.</summary>
    public Func<Task>? BeforeBlockedRead { get; set; }

    /// <summary>Runs when a password has been changed, before the server knows; null for nothing.</summary>
    public Func<Task>? AfterPasswordChange { get; set; }

    /// <summary>The text that the store refuses for good; null for none.</summary>
    public string? RefusedText { get; set; }

    /// <summary>Puts itself before the store that is registered.</summary>
    public void Wrap(IServiceCollection services)
    {
        ServiceDescriptor registered = services.Single(service => service.ServiceType == typeof(IChatStore));
        services.Remove(registered);
        IChatStore proxy = DispatchProxy.Create<IChatStore, Proxy>();
        ((Proxy)(object)proxy).Store = this;
        _direct = DispatchProxy.Create<IDirectStore, DirectProxy>();
        ((DirectProxy)(object)_direct).Store = this;
        services.AddSingleton(provider =>
        {
            _inner = (IChatStore)registered.ImplementationFactory!(provider);
            return proxy;
        });
    }

    private async Task<IReadOnlyList<Ban>> ListBansAsync(CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _bansRead);
        await (BansWaitFor ?? Task.CompletedTask);
        return BansFault is { } fault ? throw fault : await _inner!.ListBansAsync(cancellationToken);
    }

    private async Task<int> WriteLaterAsync(MethodInfo method, object?[] args)
    {
        await AppendWaitsFor!;
        if (((IReadOnlyList<ChatRecord>)args[0]!).Any(record => record.Text == RefusedText))
        {
            throw new StorageException(StorageErrorKind.RefusedValue, "The test database does not take a value.");
        }

        return await (Task<int>)method.Invoke(_inner, args)!;
    }

    private static async Task<TResult> RunAsync<TResult>(Func<Task>? before, Func<Task<TResult>> call, Func<Task>? after = null)
    {
        await (before?.Invoke() ?? Task.CompletedTask);
        TResult result = await call();
        await (after?.Invoke() ?? Task.CompletedTask);
        return result;
    }

#pragma warning disable CA1852 // DispatchProxy derives from it when the test runs
    public class Proxy : DispatchProxy
    {
        internal FaultyStore Store { get; set; } = null!;

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => targetMethod!.Name switch
        {
            nameof(IChatStore.FindAccountAsync) when Store.Fault is { } fault => Task.FromException<Account?>(fault),
            nameof(IChatStore.FindResumeTokensAsync) when Store.Fault is { } fault => Task.FromException<ResumeTokenHashes?>(fault),
            nameof(IChatStore.SaveRoomAsync) or nameof(IChatStore.SaveMembershipsAsync) when Store.RoomFault is { } fault =>
                Task.FromException(fault),
            nameof(IChatStore.SetRoomStateAsync) when Store.RoomFault is { } fault => Task.FromException<bool>(fault),
            nameof(IChatStore.RemoveExpiredBansAsync) when Store.BanRemovalFault is { } fault => throw fault,
            nameof(IChatStore.ListBansAsync) => Store.ListBansAsync((CancellationToken)args![0]!),
            nameof(IChatStore.UpdatePasswordHashAsync) => RunAsync(
                before: null, () => (Task<bool>)targetMethod.Invoke(Store._inner, args)!, Store.AfterPasswordChange),
            "get_Direct" => Store._direct,
            "WriteBatchAsync" when Store.AppendWaitsFor is not null => Store.WriteLaterAsync(targetMethod, args!),
            _ => targetMethod.Invoke(Store._inner, args),
        };
    }

    public class DirectProxy : DispatchProxy
    {
        internal FaultyStore Store { get; set; } = null!;

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => targetMethod!.Name switch
        {
            nameof(IDirectStore.AppendAsync) when Store.DirectWaitsFor is { } gate => RunAsync(
                () => gate, () => (Task<IReadOnlyList<DirectOutcome>>)targetMethod.Invoke(Store._inner!.Direct, args)!),
            nameof(IDirectStore.EraseOfAsync) when Store.DirectWaitsFor is { } gate => RunAsync(
                () => gate, () => (Task<int>)targetMethod.Invoke(Store._inner!.Direct, args)!),
            nameof(IDirectStore.ListBlockedAsync) when Store.BeforeBlockedRead is { } before => RunAsync(
                before, () => (Task<IReadOnlyList<BlockedPlayer>>)targetMethod.Invoke(Store._inner!.Direct, args)!),
            _ => targetMethod.Invoke(Store._inner!.Direct, args),
        };
    }
#pragma warning restore CA1852
}
