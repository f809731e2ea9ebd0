using System.Threading.Channels;

namespace PlayChat.MicroBenchmarks;

/// <summary>
/// State with a queue of its own as it is written first: a bounded channel of delegates, and a task that runs them in turn.
/// </summary>
internal sealed class ChannelActor
{
    private readonly Channel<Action> _jobs = Channel.CreateBounded<Action>(new BoundedChannelOptions(16_384) { SingleReader = true });
    private readonly SemaphoreSlim _done = new(0);
    private int _left;

    internal ChannelActor()
    {
        _ = Task.Run(RunJobsAsync);
    }

    /// <summary>Posts so many jobs that do nothing, and waits for the last one.</summary>
    internal void Run(int jobs)
    {
        _left = jobs;
        Action job = Finished;
        for (int i = 0; i < jobs; i++)
        {
            _jobs.Writer.TryWrite(job);
        }

        _done.Wait();
    }

    private async Task RunJobsAsync()
    {
        while (await _jobs.Reader.WaitToReadAsync().ConfigureAwait(false))
        {
            while (_jobs.Reader.TryRead(out Action? job))
            {
                job();
            }
        }
    }

    private void Finished()
    {
        if (--_left == 0)
        {
            _done.Release();
        }
    }
}
