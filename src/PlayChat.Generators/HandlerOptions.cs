namespace PlayChat.Generators;

/// <summary>What the attributes beside [Packet] ask for. Values are C#, ready to be written.</summary>
/// <param name="NeedsLogin"><see langword="null"/> when the router is to decide.</param>
/// <param name="RateLimit">The arguments, or <see langword="null"/>.</param>
/// <param name="MaxBodyBytes">The size, or <see langword="null"/>.</param>
/// <param name="Filters">Their types, from the outermost in.</param>
internal sealed record HandlerOptions(bool? NeedsLogin, string? RateLimit, int? MaxBodyBytes, EquatableArray<string> Filters);
