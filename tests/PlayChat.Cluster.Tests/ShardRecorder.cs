using System.Text;
using PlayChat.Cluster.Log;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests;

/// <summary>Keeps what a handler is told. Thread-safe.</summary>
public sealed class ShardRecorder : IShardHandler
{
    private readonly object _gate = new();
    private readonly List<(LogPosition Position, int NodeId, ulong Token, string Text)> _records = [];
    private readonly List<(LogPosition Wanted, LogPosition Found, GapReason Reason)> _gaps = [];
    private readonly List<RecordOrigin> _dead = [];

    /// <summary>The bodies, in order.</summary>
    public string[] Texts => Copy(_records, static record => record.Text);

    /// <summary>The positions of the records, in order.</summary>
    public LogPosition[] Positions => Copy(_records, static record => record.Position);

    /// <summary>Where each record is, and which node wrote it with which token, in order.</summary>
    public (LogPosition Position, int NodeId, ulong Token)[] Records =>
        Copy(_records, static record => (record.Position, record.NodeId, record.Token));

    /// <summary>The gaps.</summary>
    public (LogPosition Wanted, LogPosition Found, GapReason Reason)[] Gaps => Copy(_gaps, static gap => gap);

    /// <summary>The reasons of the gaps.</summary>
    public GapReason[] Reasons => Copy(_gaps, static gap => gap.Reason);

    /// <summary>The nodes that were declared dead.</summary>
    public RecordOrigin[] Dead => Copy(_dead, static node => node);

    /// <summary>Called in OnRecord, after it was noted.</summary>
    public Action<string>? Hook { get; set; }

    /// <summary>Makes a record whose body is a text.</summary>
    public static RoomRecord Record(string text) =>
        new() { Kind = 1, RoomId = 7, UserId = 8, Token = 9, Body = Encoding.UTF8.GetBytes(text) };

    /// <summary>Waits until that many records were seen.</summary>
    public async Task<string[]> WaitAsync(int count)
    {
        await Eventually.TrueAsync(() =>
        {
            lock (_gate)
            {
                return _records.Count >= count;
            }
        });
        return Texts;
    }

    /// <inheritdoc/>
    public void OnRecord(in LogPosition position, RecordOrigin origin, in RoomRecord record)
    {
        string text = Encoding.UTF8.GetString(record.Body.Span);
        lock (_gate)
        {
            _records.Add((position, origin.NodeId, record.Token, text));
        }

        Hook?.Invoke(text);
    }

    /// <inheritdoc/>
    public void OnGap(LogPosition wanted, LogPosition found, GapReason reason)
    {
        lock (_gate)
        {
            _gaps.Add((wanted, found, reason));
        }
    }

    /// <inheritdoc/>
    public void OnNodeDown(RecordOrigin origin)
    {
        lock (_gate)
        {
            _dead.Add(origin);
        }
    }

    private TResult[] Copy<T, TResult>(List<T> list, Func<T, TResult> select)
    {
        lock (_gate)
        {
            return [.. list.Select(select)];
        }
    }
}
