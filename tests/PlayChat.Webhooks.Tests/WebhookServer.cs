using Microsoft.Extensions.Logging;
using PlayChat.Storage;

namespace PlayChat.Webhooks.Tests;

/// <summary>Webhooks with one target, on a manual clock. A second one on the same folder is the server after a restart.</summary>
internal sealed class WebhookServer : IAsyncDisposable
{
    /// <summary>32 bytes: 0, 1, 2 and so on.</summary>
    public const string Secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    private readonly WebhookSink _sink;

    private WebhookServer(WebhookOptions options, ManualTimeProvider time, RecordingLogger log)
    {
        (Time, Log) = (time, log);
        Service = new WebhookService(options, time, new Logger<WebhookService>(log));
        _sink = new WebhookSink(Service);
    }

    public ManualTimeProvider Time { get; }

    public RecordingLogger Log { get; }

    public WebhookService Service { get; }

    public WebhookStatus Status => Service.List()[0];

    public static WebhookTarget Target(Uri address) =>
        new() { Name = "shop", Url = address.ToString(), Secret = Secret, AllowHttp = true, AllowPrivateAddresses = true };

    public static Task<WebhookServer> StartAsync(
        TemporaryDirectory folder, Receiver receiver, Action<WebhookOptions>? configure = null, ManualTimeProvider? time = null) =>
        StartAsync(folder, Target(receiver.Address), configure, time);

    public static async Task<WebhookServer> StartAsync(
        TemporaryDirectory folder, WebhookTarget target, Action<WebhookOptions>? configure = null, ManualTimeProvider? time = null)
    {
        var options = new WebhookOptions { OutboxFile = folder.Combine("outbox.db"), Targets = { target } };
        configure?.Invoke(options);
        var server = new WebhookServer(options, time ?? new ManualTimeProvider(), new RecordingLogger());
        try
        {
            await server.Service.StartAsync(default);
            return server;
        }
        catch
        {
            server.Service.Dispose();
            throw;
        }
    }

    /// <summary>Takes messages as the chat log gives them.</summary>
    public Task AddAsync(params ChatRecord[] records) => _sink.WriteBatchAsync(records, default);

    /// <summary>Says texts in a room, each in a batch of its own.</summary>
    public async Task SayAsync(long room, long firstSequence, params string[] texts)
    {
        for (int i = 0; i < texts.Length; i++)
        {
            await AddAsync(Record(room, firstSequence + i, texts[i]));
        }
    }

    public ChatRecord Record(long room, long sequence, string text) => new(room, sequence, 7, "Ann", text, Time.GetUtcNow(), "den");

    /// <summary>Moves the clock from try to try until a condition holds. A request that is under way is never timed out by that.</summary>
    public Task AdvanceUntilAsync(Func<bool> condition) => Eventually.TrueAsync(() =>
    {
        if (!condition() && Status.NextTryAt is { } next)
        {
            Time.Advance(next > Time.GetUtcNow() ? next - Time.GetUtcNow() : TimeSpan.Zero);
        }

        return condition();
    });

    public async ValueTask DisposeAsync()
    {
        await Service.StopAsync(default).WaitAsync(TestTimeouts.Hang);
        Service.Dispose();
        Log.Dispose();
    }
}
