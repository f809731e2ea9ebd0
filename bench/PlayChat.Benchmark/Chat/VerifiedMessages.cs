namespace PlayChat.Benchmark.Chat;

/// <summary>What a room's receivers have verified last, so that for the same bytes a comparison does.</summary>
/// <remarks>
/// All members get the same bytes, so the first of a thread reads and verifies them, and the others compare them with what it has kept:
/// still every byte of every delivery. Thread-safe, since each thread has a ring of its own, 90 KB; allocates nothing afterwards.
/// </remarks>
internal sealed class VerifiedMessages
{
    /// <summary>A room of fewer members is not worth the memory.</summary>
    public const int MinMembers = 32;

    private readonly ThreadLocal<Ring> _ring = new(static () => new Ring());

    /// <summary>Looks a message up.</summary>
    /// <param name="sequence">What it must have been verified as, with the one before it as its predecessor.</param>
    /// <returns>Whether these very bytes have been verified.</returns>
    public bool Contains(long sequence, ReadOnlySpan<byte> body, out ChatText text) => _ring.Value!.Contains(sequence, body, out text);

    /// <summary>Keeps a message.</summary>
    /// <param name="sequence">Its sequence; its predecessor is the one before.</param>
    public void Add(long sequence, ReadOnlySpan<byte> body, ChatText text) => _ring.Value!.Add(sequence, body, text);

    private sealed class Ring
    {
        // As much as one receive may bring; what is further apart is verified anew.
        private const int Bytes = 64 * 1024;
        private const int Slots = 512;

        private readonly byte[] _bytes = new byte[Bytes];
        private readonly Slot[] _slots = new Slot[Slots]; // by sequence
        private long _end; // bytes kept since the start

        public bool Contains(long sequence, ReadOnlySpan<byte> body, out ChatText text)
        {
            ref Slot slot = ref _slots[sequence & (Slots - 1)];
            text = slot.Text;
            return slot.Sequence == sequence
                && slot.Bytes == body.Length
                && slot.Start >= _end - Bytes // not overwritten
                && body.SequenceEqual(_bytes.AsSpan((int)(slot.Start % Bytes), slot.Bytes));
        }

        public void Add(long sequence, ReadOnlySpan<byte> body, ChatText text)
        {
            if (body.Length > Bytes)
            {
                return;
            }

            int at = (int)(_end % Bytes);
            if (at + body.Length > Bytes)
            {
                _end += Bytes - at; // in one piece, so from the front
                at = 0;
            }

            body.CopyTo(_bytes.AsSpan(at));
            _slots[sequence & (Slots - 1)] = new Slot(sequence, _end, body.Length, text);
            _end += body.Length;
        }
    }

    [StructLayout(LayoutKind.Auto)]
    private readonly record struct Slot(long Sequence, long Start, int Bytes, ChatText Text);
}
