using PlayChat.Protocol;

namespace PlayChat.Client.Screens;

/// <summary>Sends again what the server refuses only for the moment.</summary>
/// <param name="most">A refusal counts when the next try would be later than this.</param>
internal sealed class Patience(TimeProvider time, TimeSpan most)
{
    private static readonly TimeSpan s_usual = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_least = TimeSpan.FromMilliseconds(10);

    /// <summary>For a user: a person is soon told of a refusal, a script has time.</summary>
    public static Patience Of(bool isInteractive) =>
        new(TimeProvider.System, isInteractive ? TimeSpan.FromSeconds(10) : TimeSpan.FromMinutes(1));

    /// <summary>Sends, and waits as long as the server says before each further try.</summary>
    /// <exception cref="ChatErrorException">The server refuses for another reason, or still.</exception>
    public async Task SendAsync(Func<Task> send, CancellationToken cancellationToken)
    {
        long began = time.GetTimestamp();
        while (true)
        {
            TimeSpan wait;
            try
            {
                await send();
                return;
            }
            catch (ChatErrorException e) when (IsForTheMoment(e.Code) && time.GetElapsedTime(began) + WaitAfter(e) <= most)
            {
                wait = WaitAfter(e);
            }

            await Task.Delay(wait, time, cancellationToken);
        }
    }

    private static TimeSpan WaitAfter(ChatErrorException refusal) => refusal.RetryAfter == TimeSpan.Zero ? s_usual
        : refusal.RetryAfter < s_least ? s_least
        : refusal.RetryAfter;

    private static bool IsForTheMoment(ErrorCode code) =>
        code is ErrorCode.RateLimited or ErrorCode.ServerBusy or ErrorCode.StorageUnavailable;
}
