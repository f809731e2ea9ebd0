namespace PlayChat.Generators;

/// <summary>One packet id and the method that handles it. Types are C#, ready to be written.</summary>
/// <param name="IdText">How the attribute says it, for people.</param>
/// <param name="Kind">What the method is called on.</param>
/// <param name="Type">The method's class.</param>
/// <param name="MessageType">What it is given.</param>
/// <param name="MemberType">The room's members, for <see cref="HandlerKind.Room"/>.</param>
/// <param name="TakesContext">Whether its first parameter is a PacketContext.</param>
/// <param name="TakesToken">Whether its last parameter is a CancellationToken.</param>
/// <param name="AnswerType">The type of the answer, if it returns one; for <see cref="HandlerKind.Room"/> alone.</param>
internal sealed record HandlerModel(
    ushort Id,
    string IdText,
    HandlerKind Kind,
    string Type,
    string Method,
    string MessageType,
    string? MemberType,
    bool TakesContext,
    bool TakesToken,
    HandlerResult Result,
    string? AnswerType,
    HandlerOptions Options);
