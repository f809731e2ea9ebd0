using System.Text;

namespace PlayChat.Client.Interaction;

/// <summary>Finds pasted text among the keys of a terminal in bracketed-paste mode.</summary>
/// <remarks>
/// Such a terminal puts ESC [ 200 ~ before pasted text and ESC [ 201 ~ behind it. The console knows neither sequence and reports them
/// character by character. Keys that may begin a sequence are held until the next key decides. For one thread.
/// </remarks>
internal sealed class PasteReader
{
    /// <summary>Longest paste in UTF-16 units; what exceeds it is dropped.</summary>
    public const int MaxChars = 65_536;

    private const char Escape = '\u001b';
    private const string Begin = "\u001b[200~";
    private const string End = "\u001b[201~";

    private readonly List<ConsoleKeyInfo> _held = [];
    private readonly StringBuilder _text = new();
    private int _matched;
    private bool _isPasting;

    /// <summary>Takes a key.</summary>
    /// <param name="more">Whether more keys have arrived already. An Escape that is pressed comes alone.</param>
    /// <returns>What is complete by now, in order.</returns>
    public IEnumerable<KeyInput> Read(ConsoleKeyInfo key, bool more)
    {
        string marker = _isPasting ? End : Begin;
        string chars = Chars(key);
        bool goesOn = string.CompareOrdinal(marker, _matched, chars, 0, chars.Length) == 0;
        if (goesOn && (more || _isPasting || _matched > 0 || chars[0] != Escape))
        {
            _matched += chars.Length;
            _held.Add(key);
            return _matched == marker.Length ? Toggle() : [];
        }

        List<KeyInput> released = Release();
        if (chars[0] == Escape && (more || _isPasting))
        {
            _matched = chars.Length;
            _held.Add(key);
            return released;
        }

        return Take(key, released);
    }

    // Escape and [ that arrive alone are reported as one key: [ with Alt.
    private static string Chars(ConsoleKeyInfo key) =>
        key.Modifiers.HasFlag(ConsoleModifiers.Alt) && key.KeyChar == '[' ? Begin[..2]
        : key.Key == ConsoleKey.Escape ? Begin[..1] : key.KeyChar.ToString();

    private KeyInput[] Toggle()
    {
        _held.Clear();
        _matched = 0;
        _isPasting = !_isPasting;
        if (_isPasting)
        {
            return [];
        }

        string text = _text.ToString();
        _text.Clear();
        return [new KeyInput(default, text)];
    }

    private List<KeyInput> Release()
    {
        List<KeyInput> released = [];
        foreach (ConsoleKeyInfo key in _held)
        {
            Take(key, released);
        }

        _held.Clear();
        _matched = 0;
        return released;
    }

    private List<KeyInput> Take(ConsoleKeyInfo key, List<KeyInput> released)
    {
        if (!_isPasting)
        {
            released.Add(new KeyInput(key));
        }
        else if (_text.Length < MaxChars)
        {
            Append(key.Key == ConsoleKey.Enter ? '\n' : key.KeyChar);
        }

        return released;
    }

    private void Append(char c)
    {
        switch (c)
        {
            case '\r':
                _text.Append('\n');
                break;
            case '\n' or >= ' ' when !char.IsControl(c) || c == '\n':
                _text.Append(c);
                break;
            case '\t':
                _text.Append(' ');
                break;
        }
    }
}
