using System.Buffers.Binary;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>Makes inputs from valid ones: joined, cut, repeated, and with bytes changed to what decoders get wrong.</summary>
internal static class Mutator
{
    private const int MaxBytes = 1024;
    private const int MaxCuts = 4;
    private const int MaxNoise = 48;

    private static readonly byte[] s_bytes = [0, 1, 2, 0x0A, 0x0D, (byte)'"', (byte)'\\', (byte)'{', 0x7F, 0x80, 0xC0, 0xED, 0xFE, 0xFF];
    private static readonly uint[] s_numbers =
        [0, 1, 3, 4, 5, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000, int.MaxValue, 0x80000000, uint.MaxValue];

    /// <summary>The same seed gives the same input.</summary>
    public static FuzzInput Make(IReadOnlyList<byte[]> samples, int seed)
    {
        var random = new Random(seed);
        var bytes = new List<byte>(MaxBytes);
        for (int parts = random.Next(1, 4); parts > 0; parts--)
        {
            bytes.AddRange(random.Next(8) == 0 ? Noise(random) : samples[random.Next(samples.Count)]);
        }

        for (int edits = random.Next(6); edits > 0 && bytes.Count > 0; edits--)
        {
            Edit(bytes, samples, random);
        }

        if (bytes.Count > MaxBytes)
        {
            bytes.RemoveRange(MaxBytes, bytes.Count - MaxBytes);
        }

        int[] cuts = new int[random.Next(MaxCuts + 1)];
        for (int i = 0; i < cuts.Length; i++)
        {
            cuts[i] = random.Next(bytes.Count + 1);
        }

        Array.Sort(cuts);
        return new FuzzInput([.. bytes], cuts);
    }

    private static void Edit(List<byte> bytes, IReadOnlyList<byte[]> samples, Random random)
    {
        int at = random.Next(bytes.Count);
        int length = random.Next(bytes.Count - at + 1);
        switch (random.Next(8))
        {
            case 0:
                bytes[at] ^= (byte)(1 << random.Next(8));
                break;
            case 1:
                bytes[at] = s_bytes[random.Next(s_bytes.Length)];
                break;
            case 2:
                WriteNumber(bytes, at, random);
                break;
            case 3:
                bytes.RemoveRange(at, length);
                break;
            case 4:
                bytes.InsertRange(at, bytes.GetRange(at, length));
                break;
            case 5:
                bytes.InsertRange(at, Noise(random));
                break;
            case 6:
                bytes.InsertRange(at, samples[random.Next(samples.Count)]);
                break;
            default:
                bytes.RemoveRange(at, bytes.Count - at);
                break;
        }
    }

    private static void WriteNumber(List<byte> bytes, int at, Random random)
    {
        Span<byte> number = stackalloc byte[4];
        uint value = s_numbers[random.Next(s_numbers.Length)];
        if (random.Next(2) == 0)
        {
            BinaryPrimitives.WriteUInt32BigEndian(number, value);
        }
        else
        {
            BinaryPrimitives.WriteUInt32LittleEndian(number, value);
        }

        int width = random.Next(2) == 0 ? 2 : 4;
        number = random.Next(2) == 0 ? number[..width] : number[(4 - width)..];
        for (int i = 0; i < number.Length && at + i < bytes.Count; i++)
        {
            bytes[at + i] = number[i];
        }
    }

    private static byte[] Noise(Random random)
    {
        byte[] noise = new byte[random.Next(MaxNoise)];
        random.NextBytes(noise);
        return noise;
    }
}
