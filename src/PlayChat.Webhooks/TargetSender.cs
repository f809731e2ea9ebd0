using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using Microsoft.Extensions.Logging;
using PlayChat.Cluster;
using static PlayChat.Webhooks.WebhookOutbox;

namespace PlayChat.Webhooks;

/// <summary>Sends what the outbox has for one target: a request for each room at a time, and so the room's messages in order.</summary>
/// <remarks>
/// <para>A request that fails lets its room wait, longer after each failure. When the receiver as a whole is to blame, all rooms wait, and
/// it gets one request at a time until one succeeds.</para>
/// <para>The loop (<see cref="RunAsync"/>) alone touches the fields. Other threads add answers, and read what <see cref="Describe"/> tells.
/// Answers, new messages and a timer wake the loop. Times are milliseconds since 1970.</para>
/// </remarks>
internal sealed class TargetSender(
    WebhookTarget target, WebhookOptions options, WebhookOutbox outbox, TimeProvider time, ILogger logger) : IDisposable
{
    private const int MaxErrorLength = 500;

    private static readonly TimeSpan s_firstWait = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_longestWait = TimeSpan.FromMinutes(5);

    private readonly string _name = target.DisplayName;
    private readonly WakeUp _wake = new();
    private readonly ConcurrentQueue<Answer> _answers = new();
    private readonly HashSet<long> _busy = []; // rooms with a request under way
    private readonly HttpMessageInvoker _http = new(new SocketsHttpHandler
    {
        AllowAutoRedirect = false, // the other address was not checked, and the body is not for it
        ConnectCallback = (context, cancel) => PublicAddress.ConnectAsync(context.DnsEndPoint, target.AllowPrivateAddresses, cancel),
        MaxConnectionsPerServer = options.Concurrency,
        MaxResponseDrainSize = 64 * 1024, // nothing reads what a receiver answers beside its status; more costs it the connection
        PooledConnectionLifetime = TimeSpan.FromMinutes(5), // a receiver that moves is found again
        UseCookies = false,
        UseProxy = false, // it would connect for us, to any address
    });

    private long _pausedUntil;
    private volatile int _failures; // of the receiver, in a row
    private volatile string? _lastError;
    private long _nextTry; // when the timer fires; 0 when it is not set

    private long Now => time.GetUtcNow().ToUnixTimeMilliseconds();

    public void Wake() => _wake.Set();

    public WebhookStatus Describe()
    {
        (long waiting, long? oldest, long deadLetters) = outbox.Count(_name);
        long next = Interlocked.Read(ref _nextTry);
        return new WebhookStatus(
            _name, target.Address.GetLeftPart(UriPartial.Authority), waiting, TimeOf(oldest), deadLetters, _failures, _lastError,
            TimeOf(next == 0 ? null : next));

        static DateTimeOffset? TimeOf(long? value) => value is { } known ? DateTimeOffset.FromUnixTimeMilliseconds(known) : null;
    }

    public async Task RunAsync(CancellationToken stop)
    {
        using ITimer timer = time.CreateTimer(
            static wake => ((WakeUp)wake!).Set(), _wake, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        // After a stop the requests end soon, and each wakes the loop.
        for (; !stop.IsCancellationRequested || _busy.Count > 0; await _wake.WaitAsync(_busy.Count > 0 ? CancellationToken.None : stop)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing))
        {
            long? due;
            try
            {
                TakeAnswers(stop);
                due = StartDue(stop);
            }
            catch (Exception exception)
            {
                // Of any kind: one that left this loop would end the webhook. What was not noted is sent again, so the pause keeps a full
                // disk from sending the same request without end.
                WebhookLog.OutboxFailed(logger, _name, exception.Message, exception);
                due = _pausedUntil = Now + WaitAfter(++_failures, asked: null);
            }

            timer.Change(
                due is { } next ? TimeSpan.FromMilliseconds(Math.Max(0, next - Now)) : Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            Interlocked.Exchange(ref _nextTry, due ?? 0);
        }
    }

    public void Dispose() => _http.Dispose();

    /// <returns>When to look again; <see langword="null"/> when an answer or a new message will wake the loop.</returns>
    private long? StartDue(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested && _busy.Count < (_failures > 0 ? 1 : options.Concurrency))
        {
            if (_pausedUntil > Now)
            {
                return _pausedUntil;
            }

            (Delivery? next, long? due) = outbox.Find(_name, _busy, Now);
            if (next is null)
            {
                return due;
            }

            Interlocked.Exchange(ref _nextTry, 0);
            _busy.Add(next.Room);
            _ = SendAsync(next, stop); // never throws: its end is in the answer
        }

        return null;
    }

    private async Task SendAsync(Delivery delivery, CancellationToken stop)
    {
        Answer answer;
        try
        {
            answer = await AskAsync(delivery, stop).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            // Of any kind: one that left this method would leave the room busy for good.
            answer = new Answer(delivery, exception is OperationCanceledException
                ? $"The receiver did not answer within {options.Timeout}."
                : exception.Message[..Math.Min(exception.Message.Length, MaxErrorLength)]);
        }

        _answers.Enqueue(answer);
        _wake.Set();
    }

    private async Task<Answer> AskAsync(Delivery delivery, CancellationToken stop)
    {
        using var timeout = new CancellationTokenSource(options.Timeout, time);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, stop);
        long timestamp = time.GetUtcNow().ToUnixTimeSeconds();
        using var request = new HttpRequestMessage(HttpMethod.Post, target.Address) { Content = new ByteArrayContent(delivery.Body) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        request.Headers.UserAgent.Add(new ProductInfoHeaderValue("PlayChat", null));
        request.Headers.Add("webhook-id", delivery.Id);
        request.Headers.Add("webhook-timestamp", timestamp.ToString(CultureInfo.InvariantCulture));
        request.Headers.Add("webhook-signature", target.Sign(delivery.Id, timestamp, delivery.Body));
        using HttpResponseMessage response = await _http.SendAsync(request, end.Token).ConfigureAwait(false);
        return response.IsSuccessStatusCode
            ? new Answer(delivery, Error: null)
            : new Answer(
                delivery, $"The receiver answered {response.StatusCode:D}.", response.StatusCode, response.Headers.RetryAfter?.Delta);
    }

    private void TakeAnswers(CancellationToken stop)
    {
        while (_answers.TryDequeue(out Answer? answer))
        {
            _busy.Remove(answer.Delivery.Room);
            if (answer.Error is null)
            {
                outbox.Remove(_name, answer.Delivery, Now);
                if (_failures > 0)
                {
                    WebhookLog.TargetRecovered(logger, _name, _failures);
                }

                (_failures, _pausedUntil) = (0, 0);
            }
            else if (!stop.IsCancellationRequested) // or the stop has ended the request
            {
                NoteFailure(answer, answer.Delivery, _lastError = answer.Error);
            }
        }
    }

    private void NoteFailure(Answer answer, Delivery delivery, string error)
    {
        long now = Now;
        if (!answer.BlamesRequest)
        {
            if (_failures == 0)
            {
                WebhookLog.TargetFailed(logger, _name, error);
            }

            _failures++;
            _pausedUntil = now + WaitAfter(_failures, answer.RetryAfter);
        }
        else if (delivery.Failures == 0)
        {
            WebhookLog.RequestRefused(logger, _name, delivery.Id, delivery.Room, error);
        }

        outbox.Postpone(_name, delivery, now + WaitAfter(delivery.Failures + 1, answer.RetryAfter));
        long oldest = now - (long)options.GiveUpAfter.TotalMilliseconds;
        bool isAlone = answer.BlamesRequest; // the receiver takes others, however old they are
        if (!isAlone || delivery.Created <= oldest || answer.Status == HttpStatusCode.Gone)
        {
            int dead = outbox.GiveUp(_name, isAlone ? delivery : null, oldest, error, now, options.MaxDeadLetters);
            if (dead > 0)
            {
                WebhookLog.GivenUp(logger, _name, dead);
            }
        }
    }

    private static long WaitAfter(long failures, TimeSpan? asked)
    {
        double longest = s_longestWait.TotalMilliseconds;
        double wait = Math.Min(s_firstWait.TotalMilliseconds * Math.Pow(2, failures - 1), longest);
        wait *= 0.5 + (Random.Shared.NextDouble() / 2); // without chance, the rooms that failed together come back together
        return (long)Math.Max(wait, Math.Min(asked?.TotalMilliseconds ?? 0, longest));
    }

    /// <summary>What became of a request: an error, or none when the receiver has it.</summary>
    private sealed record Answer(Delivery Delivery, string? Error, HttpStatusCode? Status = null, TimeSpan? RetryAfter = null)
    {
        /// <summary>Whether the receiver works and does not take this request: 4xx, except those that say "not now".</summary>
        public bool BlamesRequest => (int?)Status is >= 400 and < 500
            && Status is not (HttpStatusCode.RequestTimeout or HttpStatusCode.TooManyRequests);
    }
}
