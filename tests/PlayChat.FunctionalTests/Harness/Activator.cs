using System.Globalization;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>Starts servers as a service manager does: with a socket that this process keeps. Needs Linux and bash.</summary>
internal sealed class Activator : IDisposable
{
    public const string SkipReason = "Passing descriptors needs Linux and /bin/bash.";

    private readonly SharedListener _listener = new();
    private readonly int _descriptor; // without close-on-exec, so that each server inherits it
    private readonly TemporaryDirectory _folder = new();

    public Activator()
    {
        _descriptor = _listener.Duplicate();
    }

    public static bool IsSupported => OperatingSystem.IsLinux() && File.Exists("/bin/bash");

    /// <summary>The port of the socket, which listens whether or not a server runs.</summary>
    public int Port => _listener.EndPoint.Port;

    /// <summary>Starts a server that gets the socket as descriptor 3, and waits until it listens.</summary>
    public Task<ServerProcess> StartAsync(params string[] options)
    {
        // Only the process that uses the socket knows its own id, so the shell sets LISTEN_PID and becomes the server.
        string script = string.Create(
            CultureInfo.InvariantCulture,
            $"exec 3<&{_descriptor} && LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=chat exec \"$0\" \"$@\"");
        return ServerProcess.StartByAsync(
            _folder.Path,
            (program, arguments) => ("/bin/bash", ["-c", script, program, .. arguments]),
            ["--port", Port.ToString(CultureInfo.InvariantCulture), .. options]);
    }

    public void Dispose()
    {
        SharedListener.Close(_descriptor);
        _listener.Dispose();
        _folder.Dispose();
    }
}
