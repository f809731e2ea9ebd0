using Microsoft.Extensions.DependencyInjection;

namespace PlayChat.Core.Dispatch;

/// <summary>A route to a handler that lives as long as its message, in a scope of its own.</summary>
internal sealed class ScopedRoute<TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
    PacketType<TMessage> type, IServiceScopeFactory scopes, Func<THandler, PacketContext, TMessage, CancellationToken, ValueTask> handle)
    : PacketRoute<TMessage>(type)
    where THandler : class
{
    private readonly ObjectFactory<THandler> _make = ActivatorUtilities.CreateFactory<THandler>([]);

    protected override async ValueTask Invoke(PacketContext context, TMessage message)
    {
        AsyncServiceScope scope = scopes.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            if (scope.ServiceProvider.GetService<THandler>() is { } service)
            {
                await handle(service, context, message, context.Connection.Aborted).ConfigureAwait(false); // the scope disposes it
                return;
            }

            THandler made = _make(scope.ServiceProvider, null);
            try
            {
                await handle(made, context, message, context.Connection.Aborted).ConfigureAwait(false);
            }
            finally
            {
                await DisposeAsync(made).ConfigureAwait(false);
            }
        }
    }

    private static ValueTask DisposeAsync(THandler made)
    {
        if (made is IAsyncDisposable slow)
        {
            return slow.DisposeAsync();
        }

        (made as IDisposable)?.Dispose();
        return default;
    }
}
