namespace PlayChat.NativeProgram;

/// <summary>Where a guest is.</summary>
internal sealed record Moved(int X);
