namespace PlayChat.Recording;

/// <summary>What a room has posted to itself in a replay. Jobs without a name are repeated where the recording has them.</summary>
/// <remarks>Only in the replay's turns.</remarks>
internal sealed class PostedJobs(RoomQueue queue)
{
    private readonly List<RoomItem> _jobs = [];

    /// <summary>Empties the queue, so that it never fills. Joins, messages, named jobs and changes of sessions come from the
    /// recording.</summary>
    internal void Collect()
    {
        while (queue.TryTakeChanged(out _))
        {
        }

        while (queue.TryTake(out RoomItem item))
        {
            queue.OnRun(1, item.Bytes);
            if (item.Body is { } body)
            {
                body.Release();
            }
            else if (item.Invoker is { NamedJob: null } && item.First is not IRoomInput)
            {
                _jobs.Add(item);
            }
        }
    }

    /// <summary>Forgets all of them.</summary>
    internal void Clear() => _jobs.Clear();

    /// <summary>Takes the first job that the log names like this.</summary>
    internal bool TryTake(string name, out RoomItem item)
    {
        int index = _jobs.FindIndex(job => job.Invoker!.NameOf(in job) == name);
        item = index < 0 ? default : _jobs[index];
        return index >= 0 && _jobs.Remove(item);
    }
}
