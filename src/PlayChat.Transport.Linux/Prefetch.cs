using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace PlayChat.Transport.Linux;

/// <summary>Hints to the processor about memory that is needed soon.</summary>
internal static class Prefetch
{
    /// <summary>Fetches the start of an object into the cache. On a processor without such an instruction nothing happens.</summary>
    internal static unsafe void Object(object target, int bytes)
    {
        if (!Sse.IsSupported)
        {
            return;
        }

        // If the collector moves the object at this moment, the wrong lines are fetched, with no other effect.
        byte* start = (byte*)*(nint*)Unsafe.AsPointer(ref target);
        for (int offset = 0; offset < bytes; offset += 64)
        {
            Sse.Prefetch0(start + offset);
        }
    }
}
