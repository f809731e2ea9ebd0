using PlayChat.Options;

namespace PlayChat.Players;

/// <summary>Settings of a <see cref="PlayerStore"/>.</summary>
public sealed class PlayerStoreOptions
{
    /// <summary>The largest content of a document, in bytes: 1 to 16,777,216. Default 65,536. A larger one is an
    /// <see cref="ArgumentException"/>, and nothing is written.</summary>
    [Option("Largest content of a document, in bytes.", Min = 1, Max = 16_777_216, WhenReached = "The write is refused.")]
    public int MaxValueBytes { get; set; } = 64 * 1024;

    /// <summary>How long a <see cref="TransactionKey"/> is remembered at least: 1 minute to 3,650 days. Default 30 days, far longer than a
    /// client repeats a purchase. A player's next transaction with a key deletes the older ones.</summary>
    [Option("How long the key of a transaction is remembered at least.", Min = "00:01:00", Max = "3650.00:00:00")]
    public TimeSpan TransactionKeyLifetime { get; set; } = TimeSpan.FromDays(30);

    /// <summary>The clock of the times that are stored. Default: the system's.</summary>
    public TimeProvider Time { get; set; } = TimeProvider.System;

    /// <summary>Checks every value.</summary>
    /// <exception cref="StorageException">A value is out of range; the message names it, its value and the range.</exception>
    public void Validate() => StorageOptions.Check(this);
}
