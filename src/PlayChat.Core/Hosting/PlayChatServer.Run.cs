using System.Net;
using System.Runtime.InteropServices;
using PlayChat.Core.Connections;
using PlayChat.Core.Diagnostics;
using PlayChat.Core.Dispatch;
using PlayChat.Core.Rooms;
using PlayChat.Core.Sessions;
using PlayChat.Core.Transport;

namespace PlayChat.Core.Hosting;

// Start, stop, and what can be seen in between.
public sealed partial class PlayChatServer
{
    private RunningServer? _running;

    /// <summary>The addresses that are really bound, in the order of the options: port 0 has become a number.</summary>
    /// <exception cref="InvalidOperationException">Not started yet.</exception>
    public IReadOnlyList<EndPoint> EndPoints => Running.EndPoints;

    /// <summary>The rooms.</summary>
    /// <exception cref="InvalidOperationException">Not started yet.</exception>
    public RoomRegistry Rooms => Running.Rooms;

    /// <summary>The sessions.</summary>
    /// <exception cref="InvalidOperationException">Not started yet.</exception>
    public SessionRegistry Sessions => Running.Sessions;

    /// <summary>What is counted.</summary>
    /// <exception cref="InvalidOperationException">Not started yet.</exception>
    public ServerMetrics Metrics => Running.Metrics;

    private RunningServer Running => _running ?? throw new InvalidOperationException("The server has not been started.");

    /// <summary>Checks the options, and listens. Once.</summary>
    /// <param name="cancellationToken">Not needed by what there is to do now; for symmetry with hosts.</param>
    /// <exception cref="OptionsException">The settings cannot be.</exception>
    /// <exception cref="ListenFailedException">An address cannot be had; nothing is left open.</exception>
    /// <exception cref="InvalidOperationException">Started already, or nothing handles frames.</exception>
    public async Task StartAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        RequireNotStarted();
        _options.Validate(OptionsPath);
        _packets.Seal();
        if (_configurePackets is { } configure)
        {
            _handlers.Router = new PacketRouter(_provider, _packets);
            configure(_handlers.Router);
        }

        if (!_handlers.HasFrames)
        {
            throw new InvalidOperationException("Nothing handles frames: call OnFrame, OnFrameAsync or OnPackets.");
        }

        var running = new RunningServer(_options, OptionsPath, _handlers, _format, _packets, _transport, _time, _loggers, _provider, _pool);
        _running = running;
        try
        {
            _handlers.Starting?.Invoke(this);
            running.Listen();
        }
        catch
        {
            await running.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Drains: stops accepting, lets the rooms finish what is queued, tells every session (see <see cref="OnClosing"/>), delivers what
    /// is queued for it, and closes it. May be repeated.
    /// </summary>
    /// <param name="cancellationToken">Ends the patience early, like <see cref="PlayChatOptions.StopTimeout"/>: what is left is aborted.</param>
    public Task StopAsync(CancellationToken cancellationToken = default) => _running?.StopAsync(cancellationToken) ?? Task.CompletedTask;

    /// <summary>Starts, unless that is done, runs until Ctrl+C, SIGTERM or the token, and stops in order.</summary>
    /// <param name="cancellationToken">Stops the server.</param>
    public async Task RunAsync(CancellationToken cancellationToken = default)
    {
        var stop = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        void OnSignal(PosixSignalContext context)
        {
            // The process ends when the drain is done; who cannot wait for that asks a second time.
            context.Cancel = stop.TrySetResult();
        }

        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
        using CancellationTokenRegistration cancelled = cancellationToken.Register(() => stop.TrySetResult());
        if (_running is null)
        {
            await StartAsync(CancellationToken.None).ConfigureAwait(false);
        }

        await stop.Task.ConfigureAwait(false);
        await StopAsync(CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>Ends what is left at once. <see cref="StopAsync"/> before it drains.</summary>
    public ValueTask DisposeAsync() => _running?.DisposeAsync() ?? ValueTask.CompletedTask;
}
