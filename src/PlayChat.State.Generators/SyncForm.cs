namespace PlayChat.Generators;

/// <summary>How a type's values are written and made of received ones.</summary>
/// <param name="Kind">The name of its SyncKind.</param>
/// <param name="Type">The type, as generated code writes it.</param>
/// <param name="Spec">An expression of its SyncSpec.</param>
/// <param name="Write">The call of a StateWriter that writes <c>{value}</c>; of a quantized number, a field.</param>
/// <param name="Read">An expression that makes a value of the SyncValue <c>value</c>.</param>
/// <param name="Steps">An expression of the steps of a quantized number <c>{value}</c>.</param>
internal sealed record SyncForm(string Kind, string Type, string Spec, string Write, string Read, string? Steps = null);
