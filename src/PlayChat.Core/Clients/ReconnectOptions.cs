using PlayChat.Core.Hosting;

namespace PlayChat.Core.Clients;

/// <summary>Settings and callbacks of a <see cref="ReconnectingConnection"/>. Do not change them once it is made.</summary>
/// <remarks>
/// <para>
/// Callbacks run one at a time on the thread pool, in the order of what they tell. A callback holds up the next attempt, so it must return
/// soon. An exception of a callback is logged; one of <see cref="ShouldReturn"/> or <see cref="MayPass"/> also counts as
/// <see langword="false"/>.
/// </para>
/// <para>Several connections may share one object when its callbacks are thread-safe.</para>
/// </remarks>
public sealed class ReconnectOptions
{
    /// <summary>
    /// The wait before the first attempt: 0 to 1 hour. Default 250 ms. It doubles with each attempt up to <see cref="MaxDelay"/>; a random
    /// part of each wait, at most half of it, is left out.
    /// </summary>
    [Option("The wait before the first attempt to reconnect.", Min = "00:00:00", Max = "01:00:00")]
    public TimeSpan FirstDelay { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>The longest wait between two attempts: 0 to 1 hour. Default 5 seconds.</summary>
    [Option("The longest wait between two attempts to reconnect.", Min = "00:00:00", Max = "01:00:00")]
    public TimeSpan MaxDelay { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// How long after a break attempts are made: 0 to 1 day. Default 1 minute. At least one attempt is made. After a planned stop the
    /// time counts from the moment for which the server asked.
    /// </summary>
    [Option("How long after a break attempts to reconnect are made.", Min = "00:00:00", Max = "1.00:00:00")]
    public TimeSpan GiveUpAfter { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>Whether to return after a break or a planned stop, by its reason. Default: always.</summary>
    public Func<CloseReason, bool>? ShouldReturn { get; set; }

    /// <summary>
    /// Whether the next attempt may succeed although this exception of <c>enter</c> ended the last one. Default: never.
    /// Failed connects, timeouts, cancelled waits, broken connections and full servers always may, and are not asked for here.
    /// </summary>
    public Func<Exception, bool>? MayPass { get; set; }

    /// <summary>Called before each attempt, and before its wait.</summary>
    public Action<ReconnectAttempt>? Reconnecting { get; set; }

    /// <summary>Called after each return, when the new connection is <see cref="ReconnectingConnection.Current"/>.</summary>
    public Action<Connection>? Reconnected { get; set; }

    /// <summary>
    /// Called at most once, before <see cref="ReconnectingConnection.DisposeAsync"/> closes the connection: send your goodbye here. It runs
    /// on the thread of that call, or on the thread pool when an attempt was under way.
    /// </summary>
    public Action<Connection>? Leaving { get; set; }

    /// <summary>Called once, last of all, before <see cref="ReconnectingConnection.Closed"/> completes.</summary>
    public Action<ReconnectEnd>? Ended { get; set; }

    internal void Validate()
    {
        List<string> problems = [.. OptionRule.FindProblems(this, path: "")];
        if (problems.Count > 0)
        {
            throw new OptionsException(problems);
        }
    }
}
