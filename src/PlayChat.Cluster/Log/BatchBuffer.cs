using System.Buffers;

namespace PlayChat.Cluster.Log;

/// <summary>A batch while it is filled, sent and unconfirmed. Guarded by the lock of its <see cref="BatchQueue"/>.</summary>
internal sealed class BatchBuffer
{
    private byte[] _bytes = [];

    /// <summary>Its number; 0 until it is sealed.</summary>
    public long Number { get; set; }

    public int Count { get; private set; }

    public int Length { get; private set; }

    public bool IsConfirmed { get; set; }

    /// <summary>When its first record came, in ticks of the clock.</summary>
    public long Timestamp { get; private set; }

    public ReadOnlyMemory<byte> Memory => _bytes.AsMemory(0, Length);

    public void Begin(long timestamp)
    {
        Number = 0;
        Count = 0;
        Length = RecordBatch.HeaderBytes;
        IsConfirmed = false;
        Timestamp = timestamp;
    }

    public void Add(in RoomRecord record)
    {
        int needed = Length + RecordBatch.RecordHeaderBytes + record.Body.Length;
        if (needed > _bytes.Length)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(needed);
            _bytes.AsSpan(0, Math.Min(Length, _bytes.Length)).CopyTo(larger);
            Return();
            _bytes = larger;
        }

        Length += RecordBatch.WriteRecord(_bytes.AsSpan(Length), record);
        Count++;
    }

    public void WriteHeader(RecordOrigin origin, uint epoch) => RecordBatch.WriteHeader(
        _bytes, new BatchHeader { Origin = origin, Number = Number, Epoch = epoch, Count = Count });

    public void Return()
    {
        if (_bytes.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = [];
        }
    }
}
