using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using PlayChat.TestUtilities;

namespace PlayChat.Webhooks.Tests;

/// <summary>A receiver of webhooks: an HTTP server on a free port of this machine.</summary>
internal sealed class Receiver : IAsyncDisposable
{
    private readonly WebApplication _application;
    private readonly ConcurrentQueue<Request> _requests = new();
    private readonly ConcurrentQueue<Request> _accepted = new();

    private Receiver(WebApplication application) => _application = application;

    /// <summary>Answers a request with a status, after 200 it counts as accepted.</summary>
    public Func<Request, HttpContext, Task<int>> Answer { get; set; } = static (_, _) => Task.FromResult(200);

    /// <summary>All that came, in order.</summary>
    public IReadOnlyCollection<Request> Requests => _requests;

    /// <summary>Those that were answered with 200.</summary>
    public IReadOnlyCollection<Request> Accepted => _accepted;

    public Uri Address => new(_application.Urls.First() + "/hook?from=chat");

    public int Port => Address.Port;

    /// <summary>The texts that were accepted, in order.</summary>
    public IEnumerable<string> Texts => _accepted.SelectMany(static request => request.Texts);

    /// <summary>The texts of a room that were accepted, in order.</summary>
    public IEnumerable<string> TextsOf(long room) =>
        _accepted.Where(request => request.RoomId == room).SelectMany(static request => request.Texts);

    public static async Task<Receiver> StartAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        WebApplication application = builder.Build();
        var receiver = new Receiver(application);
        application.Run(receiver.TakeAsync);
        await application.StartAsync().WaitAsync(TestTimeouts.Hang);
        return receiver;
    }

    /// <summary>Answers every request so.</summary>
    public void AnswerAll(int status) => Answer = (_, _) => Task.FromResult(status);

    public ValueTask DisposeAsync() => _application.DisposeAsync();

    private async Task TakeAsync(HttpContext context)
    {
        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body);
        var request = new Request(
            $"{context.Request.Path}{context.Request.QueryString}",
            context.Request.Headers["webhook-id"].ToString(),
            context.Request.Headers["webhook-timestamp"].ToString(),
            context.Request.Headers["webhook-signature"].ToString(),
            context.Request.ContentType,
            Encoding.UTF8.GetString(body.ToArray()));
        _requests.Enqueue(request);
        int status = await Answer(request, context);
        context.Response.StatusCode = status;
        if (status == 200)
        {
            _accepted.Enqueue(request);
        }
    }

    internal sealed record Request(string Path, string Id, string Timestamp, string Signature, string? ContentType, string Body)
    {
        public JsonElement Json => JsonDocument.Parse(Body).RootElement;

        public long RoomId => Json.GetProperty("data").GetProperty("roomId").GetInt64();

        public IEnumerable<string> Texts => Json.GetProperty("data").GetProperty("messages").EnumerateArray()
            .Select(static message => message.GetProperty("text").GetString()!);
    }
}
