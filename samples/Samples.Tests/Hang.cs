namespace Samples.Tests;

/// <summary>A guard against a wait without end, not a measurement.</summary>
internal static class Hang
{
    public static readonly TimeSpan Guard = TimeSpan.FromSeconds(60);
}
