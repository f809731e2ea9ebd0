namespace PlayChat.Transport.Linux;

/// <summary>struct msghdr of a 64-bit system. Fields that this transport does not use stay zero.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct MessageHeader
{
    internal void* Name;
    internal uint NameBytes;
    internal IoVector* Vectors;
    internal nint VectorCount;
    internal void* Control;
    internal nint ControlBytes;
    internal int Flags;
}
