using System.Diagnostics;

namespace PlayChat.RoomProbe;

/// <summary>A player that logs in, leaves, and comes again a second later.</summary>
/// <param name="players">Connects it.</param>
/// <param name="password">Null for a player without one.</param>
internal sealed class LoginProbe(Players players, string? password)
{
    /// <summary>What a login may take, from the beginning of the connection on.</summary>
    public static readonly TimeSpan InTime = TimeSpan.FromSeconds(2);

    private static readonly TimeSpan s_pace = TimeSpan.FromSeconds(1);

    /// <summary>Logins that began.</summary>
    public int Begun { get; private set; }

    /// <summary>Logins that succeeded within <see cref="InTime"/>.</summary>
    public int Succeeded { get; private set; }

    /// <summary>The slowest login that succeeded.</summary>
    public TimeSpan Slowest { get; private set; }

    /// <summary>Why the last failed login failed; null if none did.</summary>
    public string? Failure { get; private set; }

    /// <summary>Runs until <paramref name="stop"/>, and at least once. Returns when the last login has ended.</summary>
    public async Task RunAsync(CancellationToken stop)
    {
        using var pace = new PeriodicTimer(s_pace);
        do
        {
            await LoginAsync();
        }
        while (await IsTimeAsync(pace, stop));
    }

    private static async Task<bool> IsTimeAsync(PeriodicTimer pace, CancellationToken stop)
    {
        try
        {
            return await pace.WaitForNextTickAsync(stop);
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            return false;
        }
    }

    private async Task LoginAsync()
    {
        Begun++;
        long begun = Stopwatch.GetTimestamp();
        try
        {
            await using Protocol.ChatClient client = await players.LoginAsync("probe", password);
            TimeSpan took = Stopwatch.GetElapsedTime(begun);
            Slowest = took > Slowest ? took : Slowest;
            Succeeded += took <= InTime ? 1 : 0;
        }
        catch (Exception e) // whatever the reason, the login has failed
        {
            Failure = e.Message;
        }
    }
}
