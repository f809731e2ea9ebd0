namespace PlayChat.Core.Tests.Packets;

/// <summary>A kind of <see cref="JsonShape"/>.</summary>
internal sealed record JsonCircle(double Radius) : JsonShape;
