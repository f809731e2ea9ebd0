using System.Buffers.Binary;
using System.Text;

namespace PlayChat.State;

/// <summary>Reads values of a received message. What it cannot read makes it fail: from then on it returns zeros.</summary>
internal ref struct StateReader(ReadOnlySpan<byte> message)
{
    private static readonly byte[] s_zeros = new byte[sizeof(double)];

    private ReadOnlySpan<byte> _rest = message;

    /// <summary>Whether the message breaks a rule.</summary>
    internal bool HasFailed { get; private set; }

    internal readonly bool IsAtEnd => _rest.IsEmpty;

    internal void Fail()
    {
        HasFailed = true;
        _rest = default;
    }

    internal byte ReadByte() => Take(1)[0];

    internal ulong ReadUnsigned()
    {
        ulong value = 0;
        for (int i = 0; i < _rest.Length && i < 10; i++)
        {
            byte part = _rest[i];
            value |= (ulong)(part & 0x7f) << (7 * i);
            if (part < 0x80)
            {
                if (i == 9 && part > 1)
                {
                    break; // more than 64 bits
                }

                _rest = _rest[(i + 1)..];
                return value;
            }
        }

        Fail();
        return 0;
    }

    internal long ReadSigned()
    {
        ulong value = ReadUnsigned();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }

    internal double ReadDouble() => BinaryPrimitives.ReadDoubleLittleEndian(Take(sizeof(double)));

    internal string? ReadText(int maxBytes)
    {
        int bytes = ReadBelow(maxBytes + 2) - 1;
        return bytes < 0 || bytes > _rest.Length ? Failed(bytes >= 0) : Encoding.UTF8.GetString(Take(bytes));
    }

    /// <summary>Reads how many things follow, each of at least one byte.</summary>
    internal int ReadCount() => ReadBelow(_rest.Length + 1); // at most as many as bytes

    /// <summary>Reads a number below a bound.</summary>
    internal int ReadBelow(int bound)
    {
        ulong number = ReadUnsigned();
        if (number >= (ulong)bound)
        {
            Fail();
            return 0;
        }

        return (int)number;
    }

    /// <summary>Reads a number or a text.</summary>
    internal SyncValue ReadValue(SyncSpec spec, int maxTextBytes) => spec.Kind switch
    {
        SyncKind.Boolean => SyncValue.Of((ulong)ReadBelow(2)),
        SyncKind.Byte => SyncValue.Of((ulong)ReadByte()),
        SyncKind.Unsigned => SyncValue.Of(ReadUnsigned()),
        SyncKind.Signed => SyncValue.Of(ReadSigned()),
        SyncKind.Float => SyncValue.Of((double)BinaryPrimitives.ReadSingleLittleEndian(Take(sizeof(float)))),
        SyncKind.Double => SyncValue.Of(ReadDouble()),
        SyncKind.Text => SyncValue.Of((object?)ReadText(maxTextBytes)),
        _ => SyncValue.Of(spec.NumberOf(ReadSteps(spec))),
    };

    /// <summary>Reads the steps of a quantized number that is no difference.</summary>
    internal long ReadSteps(SyncSpec spec) => spec.Kind == SyncKind.Fixed ? ReadSigned() : (long)ReadUnsigned();

    private string? Failed(bool hasFailed)
    {
        if (hasFailed)
        {
            Fail();
        }

        return null;
    }

    /// <summary>Takes bytes, or zeros when there are too few.</summary>
    private ReadOnlySpan<byte> Take(int bytes)
    {
        if (bytes > _rest.Length)
        {
            Fail();
            return s_zeros.AsSpan(0, bytes);
        }

        ReadOnlySpan<byte> taken = _rest[..bytes];
        _rest = _rest[bytes..];
        return taken;
    }
}
