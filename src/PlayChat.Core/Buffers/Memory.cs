using System.Runtime.Intrinsics.X86;

namespace PlayChat.Core.Buffers;

/// <summary>Hints to the processor about memory.</summary>
internal static class Memory
{
    /// <summary>Has the start of an object fetched into the cache meanwhile. A hint: where it is not to be had, nothing happens.</summary>
    internal static unsafe void Prefetch(object target, int bytes)
    {
        if (!Sse.IsSupported)
        {
            return;
        }

        // If the collector moves the object at this moment, the wrong cache lines are fetched, which is harmless.
        byte* start = (byte*)*(nint*)Unsafe.AsPointer(ref target);
        for (int offset = 0; offset < bytes; offset += 64)
        {
            Sse.Prefetch0(start + offset);
        }
    }
}
