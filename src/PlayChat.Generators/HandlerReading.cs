namespace PlayChat.Generators;

/// <summary>What was read of one [Packet] attribute.</summary>
/// <param name="Handler"><see langword="null"/> when it is not mappable; then there is a problem.</param>
/// <param name="Method">The method's name for people.</param>
/// <param name="Place">Where the attribute stands.</param>
internal sealed record HandlerReading(HandlerModel? Handler, string Method, Place Place, EquatableArray<Problem> Problems);
