using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

// What an application maps.
public sealed partial class PacketRouter
{
    /// <summary>Handles a packet by a function that does not wait for anything.</summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="handler">Runs on the sender's receive loop; must not block.</param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>A builder for the packet's other rules, such as a rate limit.</returns>
    /// <exception cref="InvalidOperationException">The packet is mapped already or not in the <see cref="PacketSet"/>.</exception>
    public PacketRouteBuilder MapPacket<TMessage>(Action<PacketContext, TMessage> handler, ushort? id = null) =>
        MapPacket(TypeOf<TMessage>(id), handler);

    /// <summary>Maps a packet that need not be in the <see cref="PacketSet"/>.</summary>
    internal PacketRouteBuilder MapPacket<TMessage>(PacketType<TMessage> type, Action<PacketContext, TMessage> handler)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(handler);
        return Add(new PacketRoute<TMessage>.Synchronous(type, handler), handler);
    }

    /// <summary>Handles a packet by a function that may wait; the sender's next packet is handled when it is done.</summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="handler">
    /// The token is cancelled when the sender's link ends; <see cref="Connections.Connection.Aborted"/> says when PlayChat detects that.
    /// </param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>A builder for the packet's other rules, such as a rate limit.</returns>
    /// <exception cref="InvalidOperationException">The packet is mapped already or not in the <see cref="PacketSet"/>.</exception>
    public PacketRouteBuilder MapPacket<TMessage>(
        Func<PacketContext, TMessage, CancellationToken, ValueTask> handler, ushort? id = null) =>
        MapPacket(TypeOf<TMessage>(id), handler);

    /// <summary>Maps a packet that need not be in the <see cref="PacketSet"/>.</summary>
    internal PacketRouteBuilder MapPacket<TMessage>(
        PacketType<TMessage> type, Func<PacketContext, TMessage, CancellationToken, ValueTask> handler)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(handler);
        return Add(new PacketRoute<TMessage>.Asynchronous(type, handler), handler);
    }

    /// <summary>Handles a packet by a function that may wait; the sender's next packet is handled when it is done.</summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="handler">May be <see langword="async"/>.</param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>A builder for the packet's other rules, such as a rate limit.</returns>
    /// <exception cref="InvalidOperationException">The packet is mapped already or not in the <see cref="PacketSet"/>.</exception>
    public PacketRouteBuilder MapPacket<TMessage>(Func<PacketContext, TMessage, ValueTask> handler, ushort? id = null) =>
        MapPacket(TypeOf<TMessage>(id), handler);

    /// <summary>Maps a packet that need not be in the <see cref="PacketSet"/>.</summary>
    internal PacketRouteBuilder MapPacket<TMessage>(PacketType<TMessage> type, Func<PacketContext, TMessage, ValueTask> handler)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(handler);
        return Add(
            new PacketRoute<TMessage>.Asynchronous(type, (context, message, _) => handler(context, message)), handler);
    }

    /// <summary>Handles the packet that carries a message by a class whose constructor arguments are the server's services.</summary>
    /// <typeparam name="TMessage">The message; its packet is looked up in the <see cref="PacketSet"/>.</typeparam>
    /// <typeparam name="THandler">The class; it may be registered as a service, but need not be.</typeparam>
    /// <param name="scoped">
    /// Whether each message gets a new handler, in a scope of its own of the services, both disposed afterwards. Default false: one handler
    /// for all, which must be thread-safe.
    /// </param>
    /// <returns>A builder for the packet's other rules, such as a rate limit.</returns>
    /// <exception cref="InvalidOperationException">
    /// The packet is mapped already, no packet, or more than one, carries the message, a service is missing, or there are no services.
    /// </exception>
    public PacketRouteBuilder MapPacket<
        TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(bool scoped = false)
        where THandler : class, IPacketHandler<TMessage> =>
        scoped
            ? AddScoped<TMessage, THandler>(
                TypeOf<TMessage>(null), static (handler, context, message, token) => handler.HandleAsync(context, message, token))
            : MapPacket<TMessage>(GetHandler<THandler>().HandleAsync);

    /// <summary>
    /// Handles a packet by a method of a class of which each message gets a new one, in a scope of its own of the services; both are
    /// disposed afterwards.
    /// </summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <typeparam name="THandler">The class; it may be registered as a service, but need not be.</typeparam>
    /// <param name="handler">Calls the method.</param>
    /// <param name="id">The packet's id. Default: the one packet of the <see cref="PacketSet"/> that carries the message.</param>
    /// <returns>A builder for the packet's other rules, such as a rate limit.</returns>
    /// <exception cref="InvalidOperationException">
    /// The packet is mapped already, is not there, or carries something else, or there are no services.
    /// </exception>
    public PacketRouteBuilder MapScopedPacket<
        TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        Func<THandler, PacketContext, TMessage, CancellationToken, ValueTask> handler, ushort? id = null)
        where THandler : class
    {
        ArgumentNullException.ThrowIfNull(handler);
        return AddScoped(TypeOf<TMessage>(id), handler);
    }

    /// <summary>
    /// The class that handles packets, or filters them: the service, where it is one, else made with services as constructor arguments.
    /// </summary>
    /// <returns>One for each class and router.</returns>
    /// <exception cref="InvalidOperationException">A service is missing.</exception>
    public T GetHandler<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] T>()
        where T : class
    {
        if (!_handlers.TryGetValue(typeof(T), out object? handler))
        {
            handler = ActivatorUtilities.GetServiceOrCreateInstance<T>(_services);
            _handlers[typeof(T)] = handler;
        }

        return (T)handler;
    }

    private PacketRouteBuilder AddScoped<
        TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        PacketType<TMessage> type, Func<THandler, PacketContext, TMessage, CancellationToken, ValueTask> handler)
        where THandler : class
    {
        ArgumentNullException.ThrowIfNull(type);
        return Add(
            new PacketRoute<TMessage>.Scoped<THandler>(type, _services.GetRequiredService<IServiceScopeFactory>(), handler),
            handler);
    }

    private PacketType<TMessage> TypeOf<TMessage>(ushort? id)
    {
        try
        {
            return Packets.Get<TMessage>(id);
        }
        catch (InvalidOperationException e)
        {
            throw MappingFault.Create(e.Message, e);
        }
    }

    private PacketRouteBuilder Add(PacketRoute route, Delegate handler)
    {
        route.Handler = handler;
        RequireNotStarted();
        ushort id = route.Type.Id;
        if (id >= _routes.Length)
        {
            Array.Resize(ref _routes, id + 1);
        }

        if (_routes[id] is { } there)
        {
            (string first, string second) = (there.DescribeHandler(), route.DescribeHandler());
            throw MappingFault.Create(first == second
                ? $"Packet id {id} ({route.Type.Name}) is mapped twice, both times to {first}: map it once."
                : $"Packet id {id} ({route.Type.Name}) is mapped twice: to {first} and to {second}. Remove one of the two.");
        }

        _routes[id] = route;
        return new PacketRouteBuilder(this, route);
    }
}
