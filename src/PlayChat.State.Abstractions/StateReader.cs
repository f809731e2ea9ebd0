using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;

namespace PlayChat.State;

/// <summary>Reads values of a received message. What it cannot read makes it fail: from then on it returns zeros.</summary>
internal ref struct StateReader(ReadOnlySpan<byte> message)
{
    private static readonly byte[] s_zeros = new byte[sizeof(double)];

    // Never written to. The code for .NET Standard must not use the indexer of a ReadOnlySpan: Mono 6.8 does not find it.
    private Span<byte> _rest = MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(message), message.Length);

    /// <summary>A message of zeros: with them the default of every kind is written.</summary>
    internal static StateReader Zeros => new(s_zeros);

    /// <summary>Whether the message breaks a rule.</summary>
    internal bool HasFailed { get; private set; }

    internal readonly bool IsAtEnd => _rest.IsEmpty;

    /// <summary>Fails unless the message keeps a rule.</summary>
    internal void Require(bool condition)
    {
        if (!condition)
        {
            HasFailed = true;
            _rest = default;
        }
    }

    internal byte ReadByte() => Take(1)[0];

    internal ulong ReadUnsigned()
    {
        ulong value = 0;
        for (int i = 0; i < _rest.Length && i < 10; i++)
        {
            byte part = _rest[i];
            value |= (ulong)(part & 0x7f) << (7 * i);
            if (part < 0x80 && (i < 9 || part <= 1)) // at most 64 bits
            {
                _rest = _rest[(i + 1)..];
                return value;
            }
        }

        Require(false);
        return 0;
    }

    internal long ReadSigned()
    {
        ulong value = ReadUnsigned();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }

    internal double ReadDouble() => BitConverter.Int64BitsToDouble(BinaryPrimitives.ReadInt64LittleEndian(Take(sizeof(double))));

    internal string? ReadText(int maxBytes)
    {
        int bytes = ReadBelow(maxBytes + 2) - 1;
        if (bytes < 0)
        {
            return null;
        }

        Require(bytes <= _rest.Length && Utf8.IsValid(_rest[..bytes]));
        return HasFailed ? null : Encoding.UTF8.GetString(Take(bytes));
    }

    /// <summary>Reads how many things follow, each of at least one byte.</summary>
    internal int ReadCount() => ReadBelow(_rest.Length + 1); // at most as many as bytes

    /// <summary>Reads a number below a bound.</summary>
    internal int ReadBelow(int bound)
    {
        ulong number = ReadUnsigned();
        Require(number < (ulong)bound);
        return HasFailed ? 0 : (int)number;
    }

    /// <summary>Reads a number or a text.</summary>
    internal SyncValue ReadValue(SyncSpec spec, int maxTextBytes) => spec.Kind switch
    {
        SyncKind.Boolean => SyncValue.Of((ulong)ReadBelow(2)),
        SyncKind.Byte => SyncValue.Of((ulong)ReadByte()),
        SyncKind.Unsigned => SyncValue.Of(ReadUnsigned()),
        SyncKind.Signed => SyncValue.Of(ReadSigned()),
        SyncKind.Float => SyncValue.Of((double)ReadFloat()),
        SyncKind.Double => SyncValue.Of(ReadDouble()),
        SyncKind.Text => SyncValue.Of((object?)ReadText(maxTextBytes)),
        _ => SyncValue.Of(spec.NumberOf(ReadSteps(spec, 0, isChange: false))),
    };

    /// <summary>Reads the steps of a quantized number, or what is added to the former ones.</summary>
    internal long ReadSteps(SyncSpec spec, long former, bool isChange)
    {
        long steps = isChange ? former + ReadSigned() : spec.Kind == SyncKind.Fixed ? ReadSigned() : (long)ReadUnsigned();
        Require(spec.Kind == SyncKind.Fixed || steps >>> spec.Bits == 0);
        return steps;
    }

    private float ReadFloat() => BitConverter.Int32BitsToSingle(BinaryPrimitives.ReadInt32LittleEndian(Take(sizeof(float))));

    /// <summary>Takes bytes, or zeros when there are too few.</summary>
    private Span<byte> Take(int bytes)
    {
        Require(bytes <= _rest.Length);
        if (HasFailed)
        {
            return s_zeros.AsSpan(0, bytes);
        }

        Span<byte> taken = _rest[..bytes];
        _rest = _rest[bytes..];
        return taken;
    }
}
