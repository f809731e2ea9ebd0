namespace PlayChat.AttackTests.Harness;

/// <summary>Keeps as many threads busy as an attack has, without a byte to the server. The room beside then feels the machine
/// alone.</summary>
internal static class BusyMachine
{
    public static Task RunAsync(int threads, TimeSpan duration) =>
        Task.WhenAll(Enumerable.Range(0, threads).Select(_ => Task.Factory.StartNew(
            () => Burn(duration), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));

    private static void Burn(TimeSpan duration)
    {
        using var over = new CancellationTokenSource(duration);
        while (!over.IsCancellationRequested)
        {
            Thread.SpinWait(1000);
        }
    }
}
