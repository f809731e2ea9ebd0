using PlayChat.Cluster.Log;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests;

/// <summary>Nodes that write numbered records to one log, and what the readers must then have.</summary>
internal static class LogLoad
{
    private static readonly byte[] s_body = "hello"u8.ToArray();

    /// <summary>The record that a node writes with a number.</summary>
    public static RoomRecord Record(ulong number, byte[]? body = null) =>
        new() { Kind = 1, RoomId = 1, UserId = 1, Token = number, Body = body ?? s_body };

    /// <summary>Reads the log of a shard with each node.</summary>
    public static async Task<ShardRecorder[]> ReadAsync(this RoomBackplane[] nodes, int shard)
    {
        ShardRecorder[] readers = [.. nodes.Select(static _ => new ShardRecorder())];
        await Task.WhenAll(nodes.Select((node, i) => node.SubscribeAsync(shard, SubscribeFrom.Tail, readers[i]).AsTask()));
        return readers;
    }

    /// <summary>Writes records with rising numbers. What is refused is tried again, as a client would.</summary>
    public static async Task PublishAsync(this RoomBackplane node, int shard, int count, ulong first = 1, byte[]? body = null)
    {
        for (ulong number = first; number < first + (ulong)count; number++)
        {
            RoomRecord record = Record(number, body);
            PublishResult result;
            while ((result = node.Publish(shard, in record)) != PublishResult.Accepted)
            {
                await (result == PublishResult.Unavailable ? node.WaitForAsync(BackplaneState.Up) : NextTurn());
            }

            if (number % 10 == 0)
            {
                await Task.Yield();
            }
        }
    }

    /// <summary>Waits until a node has a state, now or later.</summary>
    public static async Task WaitForAsync(this RoomBackplane node, BackplaneState wanted)
    {
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        void OnChanged(BackplaneState state)
        {
            if (state == wanted)
            {
                reached.TrySetResult();
            }
        }

        node.StateChanged += OnChanged;
        OnChanged(node.State);
        await reached.Task.WaitAsync(TestTimeouts.Hang);
        node.StateChanged -= OnChanged;
    }

    /// <summary>Waits until each reader has read as many records of each node, and checks that all have read each of them once, in one
    /// order, in which those of a node are in theirs.</summary>
    public static async Task AssertCompleteAsync(this ShardRecorder[] readers, int nodes, int each)
    {
        await Task.WhenAll(readers.Select(reader => reader.WaitAsync(nodes * each)));
        (LogPosition Position, int NodeId, ulong Token)[] records = readers[0].Records;
        Assert.All(readers, reader => Assert.Equal(records, reader.Records));
        Assert.All(readers, static reader => Assert.Empty(reader.Gaps));
        Assert.True(records.Zip(records.Skip(1)).All(static pair => pair.First.Position < pair.Second.Position));
        Assert.All(Enumerable.Range(1, nodes), node => Assert.Equal(
            Enumerable.Range(1, each).Select(static token => (ulong)token),
            records.Where(record => record.NodeId == node).Select(static record => record.Token)));
    }

    public static async Task DisposeAllAsync(this RoomBackplane[] nodes)
    {
        foreach (RoomBackplane node in nodes)
        {
            await node.DisposeAsync();
        }
    }

    private static async Task NextTurn() => await Task.Yield();
}
