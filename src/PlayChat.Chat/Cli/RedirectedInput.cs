using System.Text;

namespace PlayChat.Chat.Cli;

/// <summary>Reads the lines of redirected input, as UTF-8 or as its byte order mark says.</summary>
/// <remarks>
/// The console's own reader decodes with the encoding of the terminal, which a file does not share, keeps a byte order mark as a part of
/// the first line, and replaces what it cannot decode. A password would then be another one, without a word.
/// </remarks>
internal sealed class RedirectedInput(Stream stream) : IDisposable
{
    private readonly StreamReader _reader = new(
        stream,
        new UTF8Encoding(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true),
        detectEncodingFromByteOrderMarks: true);

    /// <returns><see langword="null"/> at the end.</returns>
    /// <exception cref="StartException">The bytes are no text in UTF-8.</exception>
    public string? ReadLine()
    {
        try
        {
            string? line = _reader.ReadLine();
            return line?.Contains('\0', StringComparison.Ordinal) == true ? throw NotUtf8() : line; // UTF-16 without a byte order mark
        }
        catch (DecoderFallbackException e)
        {
            throw NotUtf8(e);
        }
    }

    public void Dispose() => _reader.Dispose();

    private static StartException NotUtf8(Exception? e = null) =>
        new("The input is not UTF-8. Convert it first, such as with iconv -t UTF-8. Nothing was changed.", e);
}
