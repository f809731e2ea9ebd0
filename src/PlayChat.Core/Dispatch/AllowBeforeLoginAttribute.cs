namespace PlayChat.Core.Dispatch;

/// <summary>
/// The packet is handled before login, too; on a class: all of its packets. See <see cref="PacketRouteBuilder.AllowBeforeLogin"/>.
/// </summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class)]
public sealed class AllowBeforeLoginAttribute : Attribute;
