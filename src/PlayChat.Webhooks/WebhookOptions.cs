using PlayChat.Options;
using PlayChat.Storage;

namespace PlayChat.Webhooks;

/// <summary>Settings of <see cref="WebhookService"/>.</summary>
/// <remarks>docs/reference/limits.md lists the defaults and ranges.</remarks>
public sealed class WebhookOptions
{
    /// <summary>The receivers. Each gets all messages, independently of the others.</summary>
    public IList<WebhookTarget> Targets { get; } = [];

    /// <summary>The SQLite file with the requests that were not sent yet, and the dead letters.</summary>
    [Option(
        "A SQLite file with the messages that receivers do not have yet; relative to the current directory. Each server needs its own.",
        Allowed = "a file",
        Required = true)]
    public string OutboxFile { get; set; } = "data/chat-webhooks.db";

    /// <summary>The size of that file, in bytes, at which it takes no more.</summary>
    [Option(
        "Size of that file, in bytes, at which it takes no more. Its write-ahead log beside it takes a few megabytes more.",
        Min = 65_536,
        Max = 1_099_511_627_776,
        WhenReached = "Messages wait in the queue of the chat log. When half of the queue is full, the oldest are given up for webhooks.",
        SeenIn = "the log (event 6005)")]
    public long OutboxBytes { get; set; } = 1_073_741_824;

    /// <summary>The number of requests that a receiver gets at once, each for another room.</summary>
    [Option("Number of requests that a receiver gets at once, each for another room.", Min = 1, Max = 256)]
    public int Concurrency { get; set; } = 8;

    /// <summary>How long a request may take, from the connection to the head of the answer.</summary>
    [Option("How long a request may take.", Min = "00:00:00.100", Max = "00:05:00", WhenReached = "The request has failed.")]
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(15);

    /// <summary>The age at which a request that fails becomes a dead letter.</summary>
    [Option(
        "Age at which messages whose request fails become a dead letter.",
        Min = "00:01:00",
        Max = "30.00:00:00",
        WhenReached = "The request is a dead letter: the operations endpoint lists it, and sends it again when you ask for that.",
        SeenIn = "the log (event 6203), `admin webhooks`")]
    public TimeSpan GiveUpAfter { get; set; } = TimeSpan.FromHours(24);

    /// <summary>The number of dead letters that are kept.</summary>
    [Option("Number of dead letters that the server keeps.", Min = 0, Max = 1_000_000, WhenReached = "The oldest are deleted.")]
    public int MaxDeadLetters { get; set; } = 10_000;

    /// <summary>Whether a target has an address.</summary>
    public bool IsOn => UsedTargets.Count > 0;

    internal IReadOnlyList<WebhookTarget> UsedTargets => [.. Targets.Where(static target => target.Url.Length > 0)];

    /// <summary>Checks every value.</summary>
    /// <exception cref="StorageException">A value is not allowed; the message names it, and never a secret.</exception>
    public void Validate()
    {
        StorageOptions.Check(this);
        var names = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        for (int i = 0; i < Targets.Count; i++)
        {
            string key = $"{nameof(Targets)}:{i}:";
            string? problem = Targets[i].Url.Length == 0 ? null
                : Targets[i].FindProblem(key) ?? (names.Add(Targets[i].DisplayName) ? null
                : $"{key}Name must be set: another target is '{Targets[i].DisplayName}' already.");
            if (problem is not null)
            {
                throw new StorageException(StorageErrorKind.InvalidOption, problem);
            }
        }
    }
}
