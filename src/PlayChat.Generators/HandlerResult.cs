namespace PlayChat.Generators;

/// <summary>What a handler's method returns.</summary>
internal enum HandlerResult
{
    Nothing,
    ValueTask,
    Task,
}
