namespace PlayChat.NativeProgram;

/// <summary>How far a guest goes.</summary>
internal sealed record Move(int X);
