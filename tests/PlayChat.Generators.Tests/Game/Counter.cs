namespace PlayChat.Generators.Tests.Game;

/// <summary>A service of which each scope has one.</summary>
internal sealed class Counter : IDisposable
{
    private static int s_made;

    internal int Number { get; } = Interlocked.Increment(ref s_made);

    internal static int Disposed { get; private set; }

    public void Dispose() => Disposed++;
}
