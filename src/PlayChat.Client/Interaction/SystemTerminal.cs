using System.Runtime.InteropServices;

namespace PlayChat.Client.Interaction;

internal sealed class SystemTerminal : ITerminal
{
    private readonly List<PosixSignalRegistration> _signals = [];
    private readonly object _gate = new();
    private string _enter = "";
    private string _leave = "";
    private bool _isShells; // the terminal, from a suspension until the process continues in the foreground; guarded by _gate

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

    // The threads that draw run from SIGCONT on, before the terminal has its modes again: they wait for OnContinue.
    public void Write(string text)
    {
        lock (_gate)
        {
            while (_isShells)
            {
                Monitor.Wait(_gate);
            }

            Put(text);
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
            lock (_gate)
            {
                _isShells = true;
                Put(_leave);
            }

            JobControl.GiveBack();
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

        lock (_gate)
        {
            Put(_enter);
            _isShells = false;
            Monitor.PulseAll(_gate);
        }

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

    private static void Put(string text)
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

    private void OnEnding(object? sender, EventArgs e) => Leave();

    private void Leave() => Put(Interlocked.Exchange(ref _leave, "")); // once, whichever end comes first
}

internal interface ITerminal : IDisposable
{
    /// <summary>The window has another size, or something else has written over the screen. Raised on any thread.</summary>
    event EventHandler? Changed;

    /// <summary>The width of the window in columns, at least 1.</summary>
    int Columns { get; }

    /// <summary>The height of the window in rows, at least 1.</summary>
    int Rows { get; }

    /// <summary>Whether <see cref="ReadKey"/> would return at once.</summary>
    bool HasKey { get; }

    /// <summary>Switches modes of the terminal on, until the terminal is disposed or the process ends in any way but a kill.</summary>
    /// <param name="enter">The sequence that switches them on; written again when the process continues after a suspension.</param>
    void UseModes(string enter, string leave);

    /// <returns>Null when there are no more.</returns>
    ConsoleKeyInfo? ReadKey();

    void Write(string text);
}

/// <summary>Stops the process for a shell with job control. Not on Windows.</summary>
internal static partial class JobControl
{
    private const int StandardInput = 0;

    /// <summary>Whether the terminal is this program's, or there is none.</summary>
    public static bool IsInForeground => GetForegroundGroup(StandardInput) is var group && (group < 0 || group == GetGroup());

    /// <summary>
    /// Whether a shell can continue this process when it is stopped. The group of the terminal's first program has none: the system ignores
    /// a stop from the keyboard for such a group by default, but not <see cref="Stop"/>.
    /// </summary>
    public static bool HasShell => GetSession(0) != GetGroup();

    // SIGSTOP of Linux, and of the systems that come from BSD: signal(7).
    public static void Stop() => _ = Kill(Environment.ProcessId, OperatingSystem.IsLinux() ? 19 : 17);

    /// <summary>Gives the terminal its usual settings: not every shell restores its own. .NET takes it again after the stop.</summary>
    public static void GiveBack() => _ = IsInForeground ? Run("stty sane") : 0;

    [LibraryImport("libc", EntryPoint = "system", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Run(string command);

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);

    [LibraryImport("libc", EntryPoint = "getpgrp")]
    private static partial int GetGroup();

    [LibraryImport("libc", EntryPoint = "getsid")]
    private static partial int GetSession(int process);

    [LibraryImport("libc", EntryPoint = "tcgetpgrp")]
    private static partial int GetForegroundGroup(int descriptor);
}
