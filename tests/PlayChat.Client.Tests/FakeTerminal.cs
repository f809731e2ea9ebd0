using System.Collections.Concurrent;
using PlayChat.Client.Interaction;
using PlayChat.TestUtilities;

namespace PlayChat.Client.Tests;

/// <summary>A terminal whose keys the test presses, and whose screen it looks at.</summary>
internal sealed class FakeTerminal : ITerminal
{
    private readonly BlockingCollection<ConsoleKeyInfo[]> _presses = [];
    private readonly Queue<ConsoleKeyInfo> _keys = new(); // used by the thread that reads keys only
    private readonly object _gate = new();
    private readonly Screen _screen = new();
    private readonly List<(Func<Screen, bool> Holds, TaskCompletionSource Met)> _waits = [];
    private readonly ManualResetEventSlim _writes = new(initialState: true);
    private readonly TaskCompletionSource _writeWaits = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public event EventHandler? Changed;

    public int Columns { get; set; } = 60;

    public int Rows { get; set; } = 24;

    public bool HasKey => _keys.Count > 0; // keys that were pressed one after the other do not come together

    /// <summary>What <see cref="UseModes"/> was called with.</summary>
    public (string Enter, string Leave) Modes { get; private set; }

    /// <summary>What the next writes throw; null for nothing.</summary>
    public Exception? Failure { get; set; }

    /// <summary>Completes when a write waits for the terminal that stands still.</summary>
    public Task WriteWaits => _writeWaits.Task;

    public void UseModes(string enter, string leave) => Modes = (enter, leave);

    public ConsoleKeyInfo? ReadKey()
    {
        try
        {
            while (_keys.Count == 0)
            {
                Array.ForEach(_presses.Take(), _keys.Enqueue);
            }

            return _keys.Dequeue();
        }
        catch (InvalidOperationException)
        {
            return null; // no more keys
        }
    }

    public void Write(string text)
    {
        if (!_writes.IsSet)
        {
            _writeWaits.TrySetResult();
            _writes.Wait(TestTimeouts.Hang);
        }

        if (Failure is { } failure)
        {
            throw failure;
        }

        lock (_gate)
        {
            _screen.Write(text);
            foreach ((Func<Screen, bool> holds, TaskCompletionSource met) in _waits)
            {
                if (holds(_screen))
                {
                    met.TrySetResult();
                }
            }
        }
    }

    public void Type(string text) => Press([.. Keys.Type(text)]);

    /// <summary>Presses keys that arrive together: an Escape that begins a sequence is never seen alone.</summary>
    public void Press(params ConsoleKeyInfo[] keys) => _presses.Add(keys);

    public void EndKeys() => _presses.CompleteAdding();

    /// <summary>The terminal takes nothing (Ctrl+S), or continues.</summary>
    public void StandStill(bool still = true)
    {
        if (still)
        {
            _writes.Reset();
        }
        else
        {
            _writes.Set();
        }
    }

    public void Resize(int columns)
    {
        Columns = columns;
        Changed?.Invoke(this, EventArgs.Empty);
    }

    /// <summary>Waits until the row of the cursor is this.</summary>
    public Task ShowsAsync(string line) => HoldsAsync(screen => screen.Line == line);

    /// <summary>Waits until these are all rows.</summary>
    public Task ShowsRowsAsync(params string[] rows) => HoldsAsync(screen => screen.Rows.SequenceEqual(rows, StringComparer.Ordinal));

    public async Task HoldsAsync(Func<Screen, bool> holds)
    {
        var met = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (holds(_screen))
            {
                return;
            }

            _waits.Add((holds, met));
        }

        await met.Task.WaitAsync(TestTimeouts.Hang);
    }

    public IReadOnlyList<string> ScreenRows()
    {
        lock (_gate)
        {
            return _screen.Rows;
        }
    }

    public void Dispose()
    {
    }
}
