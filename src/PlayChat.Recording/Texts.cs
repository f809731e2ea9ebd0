namespace PlayChat.Recording;

/// <summary>Names and lists of sessions that entries repeat, with their numbers. The file's limit of bytes bounds them as well.</summary>
internal sealed class Texts
{
    private readonly List<byte[]> _texts = [];
    private readonly Dictionary<uint, int> _byChecksum = []; // of two texts with the same checksum the latest

    internal ReadOnlySpan<byte> this[int number] => (uint)number < (uint)_texts.Count
        ? _texts[number]
        : throw new InvalidDataException("The recording is damaged: it names an unknown text.");

    /// <returns>The number; -1 if the text has none.</returns>
    internal int Find(ReadOnlySpan<byte> text) =>
        _byChecksum.TryGetValue(RecordingFormat.Checksum(text), out int number) && text.SequenceEqual(_texts[number]) ? number : -1;

    /// <returns>The number of the text from now on.</returns>
    internal int Add(ReadOnlySpan<byte> text)
    {
        _texts.Add(text.ToArray());
        return _byChecksum[RecordingFormat.Checksum(text)] = _texts.Count - 1;
    }
}
