using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using PlayChat.Options;

namespace PlayChat.Players;

/// <summary>Settings of a <see cref="PlayerWriter"/>.</summary>
public sealed class PlayerWriterOptions
{
    /// <summary>How long the first save of a player waits for further ones, and so how much a crash may lose: 0 to 1 hour. Default
    /// 10 seconds.</summary>
    [Option("How long the first save of a player waits for further ones.", Min = "00:00:00", Max = "01:00:00")]
    public TimeSpan SaveInterval { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How many bytes wait at most, keys and 200 bytes for each write included: 1,024 to 2^40. Default 16 MiB, which is about
    /// 50,000 positions. Further saves are refused.</summary>
    [Option("Bytes that may wait in the writer.", Min = 1024, Max = 1L << 40, WhenReached = "`TrySave` returns false.")]
    public long MaxPendingBytes { get; set; } = 16 * 1024 * 1024;

    /// <summary>The clock of the intervals. Default: the system's.</summary>
    public TimeProvider Time { get; set; } = TimeProvider.System;

    /// <summary>Where the writer logs. Default: nowhere.</summary>
    public ILogger Logger { get; set; } = NullLogger.Instance;

    /// <summary>Checks every value.</summary>
    /// <exception cref="StorageException">A value is out of range; the message names it, its value and the range.</exception>
    public void Validate() => StorageOptions.Check(this);
}
