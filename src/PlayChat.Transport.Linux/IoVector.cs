namespace PlayChat.Transport.Linux;

/// <summary>struct iovec: one piece of a gathered send.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct IoVector
{
    internal void* Start;
    internal nint Bytes;
}
