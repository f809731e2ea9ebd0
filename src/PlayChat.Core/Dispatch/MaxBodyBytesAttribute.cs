namespace PlayChat.Core.Dispatch;

/// <summary>
/// How large the packet's body may be; on a class: each of its packets. See <see cref="PacketRouteBuilder.MaxBodyBytes"/>.
/// </summary>
/// <param name="bytes">How many bytes, 0 to 268,435,456.</param>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class)]
public sealed class MaxBodyBytesAttribute(int bytes) : Attribute
{
    /// <summary>How many bytes, 0 to 268,435,456.</summary>
    internal int Bytes { get; } = bytes;
}
