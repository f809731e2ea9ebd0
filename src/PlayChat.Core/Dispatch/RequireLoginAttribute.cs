namespace PlayChat.Core.Dispatch;

/// <summary>
/// The packet is handled after login alone; on a class: all of its packets. See <see cref="PacketRouteBuilder.RequireLogin"/>.
/// </summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class)]
public sealed class RequireLoginAttribute : Attribute;
