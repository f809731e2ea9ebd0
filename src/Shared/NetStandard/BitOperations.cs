namespace System.Numerics;

/// <summary>What .NET Standard 2.1 lacks of the class of this name.</summary>
internal static class BitOperations
{
    /// <summary>Returns the number of zeros below the lowest one; 64 for 0.</summary>
    internal static int TrailingZeroCount(ulong value)
    {
        if (value == 0)
        {
            return 64;
        }

        int count = 0;
        for (int half = 32; half > 0; half /= 2)
        {
            if ((value & ((1UL << half) - 1)) == 0)
            {
                value >>= half;
                count += half;
            }
        }

        return count;
    }
}
