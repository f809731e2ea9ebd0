using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using PlayChat.Core.Packets;

namespace PlayChat.Core.Dispatch;

// What an application maps.
public sealed partial class PacketRouter
{
    /// <summary>Handles the packet that carries a message by a function that does not wait for anything.</summary>
    /// <typeparam name="TMessage">The message; its packet is looked up in <see cref="Packets"/>.</typeparam>
    /// <param name="handler">Runs on the sender's receive loop; must not block.</param>
    /// <returns>What else applies to the packet.</returns>
    /// <exception cref="InvalidOperationException">The packet is mapped already, or no packet, or more than one, carries the message.</exception>
    public PacketRouteBuilder MapPacket<TMessage>(Action<PacketContext, TMessage> handler) => MapPacket(Packets.Get<TMessage>(), handler);

    /// <inheritdoc cref="MapPacket{TMessage}(Action{PacketContext, TMessage})"/>
    /// <param name="id">The packet, where several carry the same message.</param>
    /// <param name="handler">Runs on the sender's receive loop; must not block.</param>
    public PacketRouteBuilder MapPacket<TMessage>(ushort id, Action<PacketContext, TMessage> handler) => MapPacket(Packets.Get<TMessage>(id), handler);

    /// <inheritdoc cref="MapPacket{TMessage}(Action{PacketContext, TMessage})"/>
    /// <param name="type">The packet; it need not be in <see cref="Packets"/>.</param>
    /// <param name="handler">Runs on the sender's receive loop; must not block.</param>
    public PacketRouteBuilder MapPacket<TMessage>(PacketType<TMessage> type, Action<PacketContext, TMessage> handler)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(handler);
        return Add(new PacketRoute<TMessage>.Synchronous(type, handler));
    }

    /// <summary>Handles the packet that carries a message by a function that may wait; the sender's next packet is handled when it is done.</summary>
    /// <typeparam name="TMessage">The message; its packet is looked up in <see cref="Packets"/>.</typeparam>
    /// <param name="handler">The token is cancelled when the sender's link ends.</param>
    /// <returns>What else applies to the packet.</returns>
    /// <exception cref="InvalidOperationException">The packet is mapped already, or no packet, or more than one, carries the message.</exception>
    public PacketRouteBuilder MapPacket<TMessage>(Func<PacketContext, TMessage, CancellationToken, ValueTask> handler) =>
        MapPacket(Packets.Get<TMessage>(), handler);

    /// <inheritdoc cref="MapPacket{TMessage}(Func{PacketContext, TMessage, CancellationToken, ValueTask})"/>
    /// <param name="id">The packet, where several carry the same message.</param>
    /// <param name="handler">The token is cancelled when the sender's link ends.</param>
    public PacketRouteBuilder MapPacket<TMessage>(ushort id, Func<PacketContext, TMessage, CancellationToken, ValueTask> handler) =>
        MapPacket(Packets.Get<TMessage>(id), handler);

    /// <inheritdoc cref="MapPacket{TMessage}(Func{PacketContext, TMessage, CancellationToken, ValueTask})"/>
    /// <param name="type">The packet; it need not be in <see cref="Packets"/>.</param>
    /// <param name="handler">The token is cancelled when the sender's link ends.</param>
    public PacketRouteBuilder MapPacket<TMessage>(PacketType<TMessage> type, Func<PacketContext, TMessage, CancellationToken, ValueTask> handler)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(handler);
        return Add(new PacketRoute<TMessage>.Asynchronous(type, handler));
    }

    /// <summary>Handles the packet that carries a message by an object.</summary>
    /// <typeparam name="TMessage">The message; its packet is looked up in <see cref="Packets"/>.</typeparam>
    /// <param name="handler">One for all sessions.</param>
    /// <returns>What else applies to the packet.</returns>
    /// <exception cref="InvalidOperationException">The packet is mapped already, or no packet, or more than one, carries the message.</exception>
    public PacketRouteBuilder MapPacket<TMessage>(IPacketHandler<TMessage> handler) => MapPacket(Packets.Get<TMessage>(), handler);

    /// <inheritdoc cref="MapPacket{TMessage}(IPacketHandler{TMessage})"/>
    /// <param name="id">The packet, where several carry the same message.</param>
    /// <param name="handler">One for all sessions.</param>
    public PacketRouteBuilder MapPacket<TMessage>(ushort id, IPacketHandler<TMessage> handler) => MapPacket(Packets.Get<TMessage>(id), handler);

    /// <inheritdoc cref="MapPacket{TMessage}(IPacketHandler{TMessage})"/>
    /// <param name="type">The packet; it need not be in <see cref="Packets"/>.</param>
    /// <param name="handler">One for all sessions.</param>
    public PacketRouteBuilder MapPacket<TMessage>(PacketType<TMessage> type, IPacketHandler<TMessage> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return MapPacket(type, handler.HandleAsync);
    }

    /// <summary>Handles the packet that carries a message by a class whose constructor arguments are the server's services.</summary>
    /// <typeparam name="TMessage">The message; its packet is looked up in <see cref="Packets"/>.</typeparam>
    /// <typeparam name="THandler">The class; it may be registered as a service, but need not be.</typeparam>
    /// <returns>What else applies to the packet.</returns>
    /// <exception cref="InvalidOperationException">
    /// The packet is mapped already, no packet, or more than one, carries the message, a service is missing, or there are no services.
    /// </exception>
    public PacketRouteBuilder MapPacket<TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>()
        where THandler : class, IPacketHandler<TMessage> =>
        MapPacket<TMessage, THandler>(Packets.Get<TMessage>());

    /// <inheritdoc cref="MapPacket{TMessage, THandler}()"/>
    /// <param name="id">The packet, where several carry the same message.</param>
    public PacketRouteBuilder MapPacket<TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(ushort id)
        where THandler : class, IPacketHandler<TMessage> =>
        MapPacket<TMessage, THandler>(Packets.Get<TMessage>(id));

    /// <inheritdoc cref="MapPacket{TMessage, THandler}()"/>
    /// <param name="type">The packet; it need not be in <see cref="Packets"/>.</param>
    public PacketRouteBuilder MapPacket<TMessage, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        PacketType<TMessage> type)
        where THandler : class, IPacketHandler<TMessage> =>
        MapPacket(type, GetHandler<THandler>());

    /// <summary>The class that handles packets, or filters them: the service, where it is one, else made with the server's services as constructor arguments.</summary>
    /// <returns>One for each class and router.</returns>
    /// <exception cref="InvalidOperationException">A service is missing, or there are no services and the class is no service by itself.</exception>
    public T GetHandler<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] T>()
        where T : class
    {
        if (!_handlers.TryGetValue(typeof(T), out object? handler))
        {
            IServiceProvider provider = _provider ?? throw new InvalidOperationException(
                $"{typeof(T).Name} is to be made from services, but there are none: use AddPlayChat, or UseServices.");
            handler = ActivatorUtilities.GetServiceOrCreateInstance<T>(provider);
            _handlers[typeof(T)] = handler;
        }

        return (T)handler;
    }

    private PacketRouteBuilder Add(PacketRoute route)
    {
        if (_isStarted)
        {
            throw new InvalidOperationException("Packets are mapped before start.");
        }

        ushort id = route.Type.Id;
        if (id >= _routes.Length)
        {
            Array.Resize(ref _routes, id + 1);
        }

        if (_routes[id] is { } there)
        {
            throw new InvalidOperationException($"Packet id {id} is mapped twice: to {there.Type.Name} and to {route.Type.Name}.");
        }

        _routes[id] = route;
        return new PacketRouteBuilder(route);
    }
}
