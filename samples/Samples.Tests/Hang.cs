namespace Samples.Tests;

/// <summary>A guard against waiting for ever, not a measure.</summary>
internal static class Hang
{
    public static readonly TimeSpan Guard = TimeSpan.FromSeconds(60);
}
