using System.Runtime.InteropServices;

namespace PlayChat.Client.Interaction;

/// <summary>The terminal that the program was started in.</summary>
internal sealed class SystemTerminal : ITerminal
{
    private const int UnknownWidthColumns = 80;
    private readonly List<PosixSignalRegistration> _signals = [];

    public SystemTerminal()
    {
        // Windows has no such signals; there the next drawing finds the new width.
        if (!OperatingSystem.IsWindows())
        {
            _signals.Add(PosixSignalRegistration.Create(PosixSignal.SIGWINCH, _ => Changed?.Invoke(this, EventArgs.Empty)));
            _signals.Add(PosixSignalRegistration.Create(PosixSignal.SIGCONT, _ => Changed?.Invoke(this, EventArgs.Empty)));
        }
    }

    public event EventHandler? Changed;

    public int Columns
    {
        get
        {
            try
            {
                return Console.WindowWidth is > 0 and int width ? width : UnknownWidthColumns;
            }
            catch (IOException)
            {
                // The window has just gone; the next read says so.
                return UnknownWidthColumns;
            }
        }
    }

    public ConsoleKeyInfo? ReadKey()
    {
        try
        {
            return Console.ReadKey(intercept: true);
        }
        catch (Exception e) when (e is InvalidOperationException or IOException)
        {
            // The terminal has gone.
            return null;
        }
    }

    public void Write(string text)
    {
        try
        {
            Console.Out.Write(text);
        }
        catch (IOException)
        {
            // The terminal has gone; the end of the keys ends the program.
        }
    }

    public void Dispose() => _signals.ForEach(static signal => signal.Dispose());
}
