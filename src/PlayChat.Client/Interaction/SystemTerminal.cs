using System.Runtime.InteropServices;

namespace PlayChat.Client.Interaction;

/// <summary>The terminal that the program was started in.</summary>
internal sealed class SystemTerminal : ITerminal
{
    private readonly List<PosixSignalRegistration> _signals = [];
    private readonly JobControl _job = new();
    private string _enter = "";
    private string _leave = "";

    public SystemTerminal()
    {
        // Windows has no such signals; there the next drawing finds the new width.
        if (!OperatingSystem.IsWindows())
        {
            _signals.Add(PosixSignalRegistration.Create(PosixSignal.SIGWINCH, _ => Changed?.Invoke(this, EventArgs.Empty)));
            _signals.Add(PosixSignalRegistration.Create(PosixSignal.SIGTSTP, OnSuspend));
            _signals.Add(PosixSignalRegistration.Create(PosixSignal.SIGCONT, OnContinue));
        }

        // The two ways in which a process ends without disposing anything: an unhandled exception and Environment.Exit.
        AppDomain.CurrentDomain.UnhandledException += OnEnding;
        AppDomain.CurrentDomain.ProcessExit += OnEnding;
    }

    public event EventHandler? Changed;

    public int Columns => Try(static () => Console.WindowWidth, 0) is > 0 and int columns ? columns : 80;

    public int Rows => Try(static () => Console.WindowHeight, 0) is > 0 and int rows ? rows : 24;

    public bool HasKey => Try(static () => Console.KeyAvailable, false);

    public ConsoleKeyInfo? ReadKey() => Try<ConsoleKeyInfo?>(static () => Console.ReadKey(intercept: true), null);

    public void UseModes(string enter, string leave)
    {
        (_enter, _leave) = (enter, leave);
        Write(enter);
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

    public void Dispose()
    {
        AppDomain.CurrentDomain.UnhandledException -= OnEnding;
        AppDomain.CurrentDomain.ProcessExit -= OnEnding;
        _signals.ForEach(static signal => signal.Dispose());
        Leave();
    }

    // .NET does not stop a process that handles the signal: it would go on reading what is meant for the shell.
    private void OnSuspend(PosixSignalContext signal)
    {
        signal.Cancel = true;
        if (JobControl.HasShell)
        {
            Write(_leave);
            _job.GiveBack();
            JobControl.Stop();
        }
    }

    private void OnContinue(PosixSignalContext signal)
    {
        if (!JobControl.IsInForeground)
        {
            // By "bg": the terminal belongs to the shell, so there is nothing to read, and what is drawn would cover it.
            signal.Cancel = true;
            JobControl.Stop();
            return;
        }

        _job.Take();
        Write(_enter);
        Changed?.Invoke(this, EventArgs.Empty);
    }

    private static T Try<T>(Func<T> read, T otherwise)
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is InvalidOperationException or IOException)
        {
            return otherwise; // the terminal has gone; the next read of a key says so
        }
    }

    private void OnEnding(object? sender, EventArgs e) => Leave();

    private void Leave() => Write(Interlocked.Exchange(ref _leave, "")); // once, whichever end comes first
}
