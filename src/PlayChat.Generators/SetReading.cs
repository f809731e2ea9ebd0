namespace PlayChat.Generators;

/// <summary>What was read of one [JsonPackets] attribute.</summary>
/// <param name="Namespace">That of the class; empty for none.</param>
/// <param name="Context">The context, as generated code writes it.</param>
/// <param name="ContextName">The context's name for people.</param>
/// <param name="Types">What the context serializes, as generated code writes it.</param>
/// <param name="Problems">What is wrong with it; then nothing is written.</param>
internal sealed record SetReading(
    string Namespace, string Class, string Context, string ContextName, EquatableArray<string> Types, EquatableArray<Problem> Problems)
{
    public bool Serializes(MessageReading message) => Types.Contains(message.Type, StringComparer.Ordinal);
}
