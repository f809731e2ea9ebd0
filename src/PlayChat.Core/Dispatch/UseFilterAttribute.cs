namespace PlayChat.Core.Dispatch;

/// <summary>
/// Puts a filter before the packet's handler; on a class: of all its packets, before those of the method. See
/// <see cref="PacketRouteBuilder.AddFilter"/>.
/// </summary>
/// <param name="filter">A <see cref="PacketFilter"/>, made once by <see cref="PacketRouter.GetHandler{T}"/>.</param>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class, AllowMultiple = true)]
public sealed class UseFilterAttribute(
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type filter) : Attribute
{
    /// <summary>The filter's class.</summary>
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)]
    internal Type Filter { get; } = filter;
}
