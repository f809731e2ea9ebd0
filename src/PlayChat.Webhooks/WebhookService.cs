using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using PlayChat.Storage;

namespace PlayChat.Webhooks;

/// <summary>Sends the messages of rooms to targets (<see cref="WebhookOptions"/>), at least once and in the order of each room.</summary>
/// <remarks>
/// <para><see cref="WebhookSink"/> puts messages into the outbox, from which a sender for each target takes them. A stop ends requests that
/// are under way; the next start sends them again.</para>
/// <para>Thread-safe, between start and disposal.</para>
/// </remarks>
public sealed class WebhookService : IHostedService, IDisposable
{
    private readonly WebhookOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly WebhookOutbox _outbox;
    private readonly CancellationTokenSource _stopping = new();
    private readonly TargetSender[] _senders;
    private readonly string[] _names;
    private Task _work = Task.CompletedTask;

    /// <summary>Makes the service. It touches nothing before its start.</summary>
    /// <exception cref="StorageException">An option is not usable; the message names it.</exception>
    public WebhookService(WebhookOptions options, TimeProvider time, ILogger<WebhookService> logger)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options;
        _time = time;
        _logger = logger;
        _outbox = new WebhookOutbox(options.OutboxFile);
        _senders = [.. options.UsedTargets.Select(target => new TargetSender(target, options, _outbox, time, logger))];
        _names = [.. options.UsedTargets.Select(static target => target.DisplayName)];
    }

    private long Now => _time.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Opens the outbox and begins to send.</summary>
    /// <exception cref="StorageException">Opening the outbox failed.</exception>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        int orphans = _outbox.Open(_names, _options.OutboxBytes, Now);
        if (orphans > 0)
        {
            WebhookLog.TargetsGone(_logger, orphans);
        }

        _work = Task.WhenAll(_senders.Select(sender => Task.Run(() => sender.RunAsync(_stopping.Token), CancellationToken.None)));
        return Task.CompletedTask;
    }

    /// <summary>Stops sending. The outbox still takes messages until the service is disposed.</summary>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _work.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Tells how each target is doing.</summary>
    public IReadOnlyList<WebhookStatus> List() => [.. _senders.Select(static sender => sender.Describe())];

    /// <summary>Lists dead letters, of all targets or of one, by rising id, from behind an id on.</summary>
    public IReadOnlyList<DeadLetter> ListDeadLetters(string? target = null, long after = 0, int limit = 100) =>
        _outbox.ListDeadLetters(target, after, limit);

    /// <summary>Sends dead letters again: all, those of a target, or one. Their messages come after newer ones of their rooms.</summary>
    /// <returns>How many there were. Those of targets that are not there any more stay.</returns>
    public int RetryDeadLetters(string? target = null, long? id = null)
    {
        int retried = _outbox.Retry(_names, target, id, Now);
        WakeSenders();
        return retried;
    }

    /// <summary>Deletes dead letters: all, those of a target, or one.</summary>
    /// <returns>How many there were.</returns>
    public int DeleteDeadLetters(string? target = null, long? id = null) => _outbox.DeleteDeadLetters(target, id);

    /// <summary>Closes the outbox.</summary>
    public void Dispose()
    {
        Array.ForEach(_senders, static sender => sender.Dispose());
        _outbox.Dispose();
        _stopping.Dispose();
    }

    /// <exception cref="StorageException">The outbox is full, or its disk fails. Nothing was added.</exception>
    internal void Add(IReadOnlyList<ChatRecord> records)
    {
        _outbox.Add(_names, [.. MessageBatch.Of(records)], Now);
        WakeSenders();
    }

    private void WakeSenders() => Array.ForEach(_senders, static sender => sender.Wake());
}
