namespace PlayChat.Client.Interaction;

/// <summary>The lines that were entered before, for Up and Down. For one thread.</summary>
internal sealed class LineHistory
{
    /// <summary>Lines that are kept; the oldest go first.</summary>
    public const int MaxLines = 200;

    private readonly List<string> _lines = [];
    private int _position;
    private string _draft = "";

    /// <summary>Adds a line and returns to the end. An empty line and a repetition of the last one are not added.</summary>
    public void Add(string line)
    {
        if (line.Length > 0 && (_lines.Count == 0 || _lines[^1] != line))
        {
            _lines.Add(line);
            if (_lines.Count > MaxLines)
            {
                _lines.RemoveAt(0);
            }
        }

        _position = _lines.Count;
        _draft = "";
    }

    /// <summary>The line before the current one.</summary>
    /// <param name="current">What is in the input line; kept when it is a line that was not entered yet.</param>
    /// <returns>Null at the oldest line.</returns>
    public string? Older(string current)
    {
        if (_position == 0)
        {
            return null;
        }

        _draft = _position == _lines.Count ? current : _draft;
        return _lines[--_position];
    }

    /// <summary>The line after the current one, in the end the one that was not entered yet.</summary>
    /// <returns>Null when there is none.</returns>
    public string? Newer() => _position == _lines.Count ? null : ++_position == _lines.Count ? _draft : _lines[_position];
}
