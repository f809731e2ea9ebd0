using System.Text;
using PlayChat.Cluster.Log;
using PlayChat.TestUtilities;

namespace PlayChat.Cluster.Tests;

/// <summary>Keeps what a handler is told. Thread-safe.</summary>
public sealed class ShardRecorder : IShardHandler
{
    private readonly object _gate = new();
    private readonly List<(LogPosition Position, string Text)> _records = [];
    private readonly List<(LogPosition Wanted, LogPosition Found, GapReason Reason)> _gaps = [];
    private readonly List<RecordOrigin> _dead = [];

    /// <summary>The bodies, in order.</summary>
    public string[] Texts
    {
        get
        {
            lock (_gate)
            {
                return [.. _records.Select(static record => record.Text)];
            }
        }
    }

    /// <summary>The positions of the records, in order.</summary>
    public LogPosition[] Positions
    {
        get
        {
            lock (_gate)
            {
                return [.. _records.Select(static record => record.Position)];
            }
        }
    }

    /// <summary>The gaps.</summary>
    public (LogPosition Wanted, LogPosition Found, GapReason Reason)[] Gaps
    {
        get
        {
            lock (_gate)
            {
                return [.. _gaps];
            }
        }
    }

    /// <summary>The nodes that were declared dead.</summary>
    public RecordOrigin[] Dead
    {
        get
        {
            lock (_gate)
            {
                return [.. _dead];
            }
        }
    }

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
            _records.Add((position, text));
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
}
