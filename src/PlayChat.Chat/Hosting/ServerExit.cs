using PlayChat.Chat.Cli;

namespace PlayChat.Chat.Hosting;

/// <summary>The exit code of the server. Thread-safe.</summary>
internal sealed class ServerExit(IHostApplicationLifetime lifetime)
{
    private volatile bool _hasFailed;

    public int Code => _hasFailed ? ExitCode.Failed : ExitCode.Success;

    /// <summary>Notes that the server ends with something lost, such as messages that were not stored.</summary>
    public void NoteLoss() => _hasFailed = true;

    /// <summary>Stops the server because it cannot do its work any more.</summary>
    public void Fail()
    {
        NoteLoss();
        lifetime.StopApplication();
    }
}
