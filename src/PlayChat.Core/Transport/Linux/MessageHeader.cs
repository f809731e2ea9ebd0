using System.Runtime.InteropServices;

namespace PlayChat.Core.Transport.Linux;

/// <summary>struct msghdr of a 64-bit system; the fields that are not used here stay zero.</summary>
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
