using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Core;
using PlayChat.Webhooks;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>The admin API under <c>/api/v1</c>. Its classes do the work; this one names routes and parameters.</summary>
internal sealed class AdminApi(
    AdminFilter filter,
    StatusReader status,
    FigureHistory history,
    SessionReader sessions,
    RoomReader rooms,
    CloseHistory closes,
    SessionActions actions,
    SettingsEditor settings,
    AccountEditor accounts,
    WebhookEditor webhooks,
    RecordingEditor recordings) : IOperationsPart
{
    /// <summary>Where the API begins.</summary>
    public const string Prefix = "/api/v1";

    private const string DocumentName = "PlayChat.Chat.admin-openapi.json";

    public void Map(IEndpointRouteBuilder routes)
    {
        RouteGroupBuilder group = routes.MapGroup(Prefix);
        group.AddEndpointFilter(filter);
        MapReading(group.MapArea("status"));
        MapSessions(group.MapArea("players"));
        MapRooms(group.MapArea("rooms"));
        MapSettings(group.MapArea("settings"));
        MapAccounts(group.MapArea("accounts"));
        MapWebhooks(group.MapArea("webhooks"));
        MapRecordings(group.MapArea("recordings"));
    }

    private static TimeSpan Milliseconds(int? value) => TimeSpan.FromMilliseconds(value ?? 0);

    private static FileStreamHttpResult SendDocument() =>
        TypedResults.Stream(typeof(AdminApi).Assembly.GetManifestResourceStream(DocumentName)!, "application/json");

    private static JsonHttpResult<ActionResult> Done(ActionResult result) => TypedResults.Json(result, AdminJson.Default.ActionResult);

    private void MapReading(RouteGroupBuilder group)
    {
        group.MapGet("/status", () => TypedResults.Json(status.Read(), AdminJson.Default.ServerStatus))
            .Describe<ServerStatus>("Whether all is well, the warnings, and the newest figures.");
        group.MapGet("/history", (int? points) =>
                TypedResults.Json(history.Read(points ?? FigureHistory.Capacity), AdminJson.Default.FigureHistoryPage))
            .Describe<FigureHistoryPage>("The figures of the last 15 minutes, one point every two seconds.");
        group.MapGet("/closes", (int? limit, string? reason, string? text) =>
                TypedResults.Json(closes.Read(CheckCloses(limit), ParseReason(reason), text), AdminJson.Default.CloseList))
            .Describe<CloseList>("The last 1,000 ends of connections with their reasons, the newest first.");
        group.MapGet("/runtime", () => TypedResults.Json(RuntimeReader.Read(), AdminJson.Default.RuntimeInfo))
            .Describe<RuntimeInfo>("Heap and threads of the process.");
        group.MapPost("/drain", () => Done(actions.Drain()))
            .Describe<ActionResult>("Stops the server in order, as SIGTERM does.").Needs(scope: null);
        group.MapGet("/openapi.json", SendDocument).ExcludeFromDescription();
    }

    private void MapSessions(RouteGroupBuilder group)
    {
        group.MapGet("/sessions", async (
                long? after, int? limit, string? text, string? state, long? room, string? sort, int? measureMs, CancellationToken cancel) =>
            TypedResults.Json(
                await sessions.ListAsync(
                    new ListQuery(after ?? 0, limit ?? 100, text, state, room, sort ?? "id", Milliseconds(measureMs)), cancel),
                AdminJson.Default.PageSessionInfo))
            .Describe<Page<SessionInfo>>(
                "Sessions. state: connected, anonymous, away, closing or slow; sort: id, queued, blocked, received, sent or rate.");
        group.MapGet("/sessions/{id:long}", async (long id, int? measureMs, CancellationToken cancel) =>
            TypedResults.Json(await sessions.ReadAsync(id, Milliseconds(measureMs), cancel), AdminJson.Default.SessionInfo))
            .Describe<SessionInfo>("One session; with measureMs also its rates.");
        group.MapPost("/sessions/{id:long}/close", async (long id, HttpRequest request) =>
            Done(await actions.CloseAsync(id, (await ReadAsync(request, AdminJson.Default.CloseRequest)).Message)))
            .Describe<ActionResult>("Closes a session; its player is told the message.").Accepts<CloseRequest>("application/json");
        group.MapPost("/sessions/{id:long}/notice", async (long id, HttpRequest request) =>
            Done(actions.NotifySession(id, (await ReadAsync(request, AdminJson.Default.NoticeRequest)).Message)))
            .Describe<ActionResult>("Tells a player something.").Accepts<NoticeRequest>("application/json");
        group.MapPost("/players/{name}/close", async (string name, HttpRequest request, CancellationToken cancel) =>
            Done(await actions.ClosePlayerAsync(
                name, (await ReadAsync(request, AdminJson.Default.CloseRequest)).Message, cancel)))
            .Describe<ActionResult>("Closes the session of a player, on whichever node of a cluster it is; the player is told the message.")
            .Accepts<CloseRequest>("application/json");
        group.MapPost("/players/{name}/notice", async (string name, HttpRequest request, CancellationToken cancel) =>
            Done(await actions.NotifyPlayerAsync(
                name, (await ReadAsync(request, AdminJson.Default.NoticeRequest)).Message, cancel)))
            .Describe<ActionResult>("Tells a player something, on whichever node of a cluster its session is.")
            .Accepts<NoticeRequest>("application/json");
        group.MapPost("/notice", async (HttpRequest request, CancellationToken cancel) =>
            Done(await actions.NotifyAllAsync(
                (await ReadAsync(request, AdminJson.Default.NoticeRequest)).Message, cancel)))
            .Describe<ActionResult>("Tells all players something.").Accepts<NoticeRequest>("application/json");
    }

    private void MapRooms(RouteGroupBuilder group)
    {
        group.MapGet("/rooms", async (long? after, int? limit, string? text, string? sort, int? measureMs, CancellationToken cancel) =>
            TypedResults.Json(
                await rooms.ListAsync(
                    new ListQuery(after ?? 0, limit ?? 100, text, Sort: sort ?? "id", Measure: Milliseconds(measureMs)), cancel),
                AdminJson.Default.PageRoomSummary))
            .Describe<Page<RoomSummary>>("Rooms, private ones included. sort: id, members, queued or rate.");
        group.MapGet("/rooms/{id:long}", async (long id, int? measureMs, CancellationToken cancel) =>
            TypedResults.Json(await rooms.ReadAsync(id, Milliseconds(measureMs), cancel), AdminJson.Default.RoomDetail))
            .Describe<RoomDetail>("One room with its members; with measureMs also its rate.");
        group.MapPost("/rooms/{id:long}/notice", async (long id, HttpRequest request, CancellationToken cancel) =>
            Done(await actions.NotifyRoomAsync(
                id, (await ReadAsync(request, AdminJson.Default.NoticeRequest)).Message, cancel)))
            .Describe<ActionResult>("Tells the members of a room something.").Accepts<NoticeRequest>("application/json");
        group.MapGet("/rooms/{id:long}/messages", async (long id, long? after, int? limit, CancellationToken cancel) =>
            TypedResults.Json(
                await accounts.ListMessagesAsync(id, after ?? 0, limit ?? 100, cancel), AdminJson.Default.PageMessageInfo))
            .Describe<Page<MessageInfo>>(
                "What was stored of a room, by rising sequence; after is a sequence. A deleted message has no text.")
            .Needs("messages.read");
        group.MapPost("/rooms/{id:long}/messages", async (long id, HttpRequest request, CancellationToken cancel) =>
            Done(await actions.SayAsync(id, await ReadAsync(request, AdminJson.Default.MessageRequest), cancel)))
            .Describe<ActionResult>("Says something in a room, in the name of an account.").Accepts<MessageRequest>("application/json")
            .Needs("messages.write");
        group.MapGet("/reports", async (long? room, long? after, int? limit, CancellationToken cancel) =>
            TypedResults.Json(
                await accounts.ListReportsAsync(room ?? 0, after ?? 0, limit ?? 100, cancel), AdminJson.Default.PageReportInfo))
            .Describe<Page<ReportInfo>>("The open reports of all rooms or of one, with the lines around each message, by rising id.");
        group.MapPost("/reports/{id:long}/resolve", async (long id, CancellationToken cancel) =>
            Done(await accounts.ResolveReportAsync(id, cancel)))
            .Describe<ActionResult>("Closes a report.");
        group.MapDelete("/rooms/{id:long}", async (long id, CancellationToken cancel) => Done(await actions.RemoveRoomAsync(id, cancel)))
            .Describe<ActionResult>("Removes a chat room that has no members. What was said in it stays stored.");
    }

    private void MapSettings(RouteGroupBuilder group)
    {
        group.MapGet("/limits", (string? text, bool? changeable) =>
            TypedResults.Json(settings.List(text, changeable ?? false), AdminJson.Default.IReadOnlyListLimitInfo))
            .Describe<IReadOnlyList<LimitInfo>>("The settings with their values, secrets left out.");
        group.MapPut("/limits/{key}", async (string key, HttpRequest request) =>
            Done(await settings.ChangeAsync(key, (await ReadAsync(request, AdminJson.Default.ValueRequest)).Value)))
            .Describe<ActionResult>("Changes a setting until the next reload or restart.").Accepts<ValueRequest>("application/json");
        group.MapGet("/log-levels", () => TypedResults.Json(settings.ListLevels(), AdminJson.Default.IReadOnlyListLogLevelInfo))
            .Describe<IReadOnlyList<LogLevelInfo>>("The log levels.");
        group.MapPut("/log-levels", async (HttpRequest request) =>
        {
            LogLevelRequest wanted = await ReadAsync(request, AdminJson.Default.LogLevelRequest);
            return Done(await settings.ChangeLevelAsync(wanted.Source, wanted.Level));
        })
            .Describe<ActionResult>("Changes a log level until the next reload or restart.").Accepts<LogLevelRequest>("application/json");
    }

    private void MapAccounts(RouteGroupBuilder group)
    {
        group.MapGet("/accounts", async (long? after, int? limit, CancellationToken cancel) =>
            TypedResults.Json(await accounts.ListAsync(after ?? 0, limit ?? 100, cancel), AdminJson.Default.PageAccountInfo))
            .Describe<Page<AccountInfo>>("Accounts by rising id.");
        group.MapPost("/accounts", async (HttpRequest request, CancellationToken cancel) =>
        {
            AccountRequest wanted = await ReadAsync(request, AdminJson.Default.AccountRequest);
            return Done(await accounts.AddAsync(wanted.Name, wanted.Password, cancel));
        })
            .Describe<ActionResult>("Makes an account.").Accepts<AccountRequest>("application/json");
        group.MapPut("/accounts/{name}/password", async (string name, HttpRequest request, CancellationToken cancel) =>
            Done(await accounts.SetPasswordAsync(
                name, (await ReadAsync(request, AdminJson.Default.PasswordRequest)).Password, cancel)))
            .Describe<ActionResult>("Sets the password of an account.").Accepts<PasswordRequest>("application/json");
        group.MapPost("/accounts/{name}/disable", async (string name, CancellationToken cancel) =>
            Done(await accounts.SetDisabledAsync(name, disabled: true, cancel)))
            .Describe<ActionResult>("Refuses further logins with an account.");
        group.MapPost("/accounts/{name}/enable", async (string name, CancellationToken cancel) =>
            Done(await accounts.SetDisabledAsync(name, disabled: false, cancel)))
            .Describe<ActionResult>("Lets an account in again.");
        group.MapGet("/accounts/{name}/export", async (string name, CancellationToken cancel) =>
            TypedResults.Json(await accounts.ExportAsync(name, cancel), AdminJson.Default.AccountExport))
            .Describe<AccountExport>("Everything about an account: itself, its devices, messages, memberships, reactions and reports.");
        group.MapDelete("/accounts/{name}", async (string name, bool? texts, CancellationToken cancel) =>
            Done(await accounts.RemoveAsync(name, texts ?? false, cancel)))
            .Describe<ActionResult>("Deletes an account for good. With texts=true the texts of its stored messages are emptied first.");
        group.MapGet("/bans", async (CancellationToken cancel) =>
            TypedResults.Json(await accounts.ListBansAsync(cancel), AdminJson.Default.IReadOnlyListBanInfo))
            .Describe<IReadOnlyList<BanInfo>>("The bans in effect.");
        group.MapPost("/bans", async (HttpRequest request, CancellationToken cancel) =>
            Done(await accounts.BanAsync(await ReadAsync(request, AdminJson.Default.BanRequest), cancel)))
            .Describe<ActionResult>("Bans an account or a network.").Accepts<BanRequest>("application/json");
        group.MapDelete("/bans", async (string? subject, CancellationToken cancel) => Done(await accounts.LiftBanAsync(subject, cancel)))
            .Describe<ActionResult>("Lifts a ban.");
    }

    private void MapWebhooks(RouteGroupBuilder group)
    {
        group.MapGet("/webhooks", () => TypedResults.Json(webhooks.List(), AdminJson.Default.IReadOnlyListWebhookStatus))
            .Describe<IReadOnlyList<WebhookStatus>>("The webhooks: what waits for each, and why it fails.");
        group.MapGet("/webhooks/dead-letters", (long? after, int? limit, string? target) =>
            TypedResults.Json(webhooks.ListDeadLetters(target, after ?? 0, limit ?? 100), AdminJson.Default.PageDeadLetter))
            .Describe<Page<DeadLetter>>("The requests that were given up, without their messages.");
        group.MapPost("/webhooks/dead-letters/retry", (string? target) => Done(webhooks.Retry(target, id: null)))
            .Describe<ActionResult>("Sends all dead letters again, or those of a target.");
        group.MapPost("/webhooks/dead-letters/{id:long}/retry", (long id) => Done(webhooks.Retry(target: null, id)))
            .Describe<ActionResult>("Sends a dead letter again.");
        group.MapDelete("/webhooks/dead-letters", (string? target) => Done(webhooks.Delete(target, id: null)))
            .Describe<ActionResult>("Deletes all dead letters, or those of a target.");
        group.MapDelete("/webhooks/dead-letters/{id:long}", (long id) => Done(webhooks.Delete(target: null, id)))
            .Describe<ActionResult>("Deletes a dead letter.");
    }

    private void MapRecordings(RouteGroupBuilder group)
    {
        group.MapGet("/recordings", (int? limit) => TypedResults.Json(recordings.List(limit ?? 100), AdminJson.Default.RecordingList))
            .Describe<RecordingList>("The files of recorded rooms, the newest first.");
        group.MapPost("/recordings", async (HttpRequest request, CancellationToken cancel) =>
            Done(await recordings.StartAsync(await ReadAsync(request, AdminJson.Default.RecordingRequest), cancel)))
            .Describe<ActionResult>("Records a room that is not one of the chat's.").Accepts<RecordingRequest>("application/json");
        group.MapPost("/recordings/{file}/stop", async (string file, CancellationToken cancel) =>
            Done(await recordings.StopAsync(file, cancel)))
            .Describe<ActionResult>("Ends a recording. Its file stays.");
        group.MapGet("/recordings/{file}", (string file) => TypedResults.Stream(recordings.Open(file), RouteDescription.FileType, file))
            .Describe<byte[]>("The file of a recording.", RouteDescription.FileType);
        group.MapGet("/recordings/{file}/events", async (
                string file, long? after, int? limit, string? text, string? kinds, CancellationToken cancel) =>
            TypedResults.Json(
                await recordings.ReadAsync(recordings.Open(file), new ListQuery(after ?? 0, limit ?? 100, text), kinds, cancel),
                AdminJson.Default.RecordingEvents))
            .Describe<RecordingEvents>("What happened in the recorded room, in order.");
        group.MapPost("/recordings/events", async (
                HttpRequest request, long? after, int? limit, string? text, string? kinds, CancellationToken cancel) =>
            TypedResults.Json(
                await recordings.ReadAsync(request.Body, new ListQuery(after ?? 0, limit ?? 100, text), kinds, cancel),
                AdminJson.Default.RecordingEvents))
            .Describe<RecordingEvents>("The same of a file that is sent.").Accepts<byte[]>(RouteDescription.FileType)
            .Needs("recordings.read");
    }

    private static int CheckCloses(int? limit) => limit is null or (>= 1 and <= CloseHistory.Capacity)
        ? limit ?? 100
        : throw AdminException.Invalid($"limit is {limit}; allowed is 1 to {CloseHistory.Capacity}.");

    private static CloseReason? ParseReason(string? text) =>
        text is null ? null
        : Enum.TryParse(text, ignoreCase: true, out CloseReason reason) && Enum.IsDefined(reason) ? reason
        : throw AdminException.Invalid($"reason is '{text}'; allowed is {string.Join(", ", Enum.GetNames<CloseReason>().Skip(1))}.");

    /// <exception cref="AdminException">The body is no JSON of this kind, or has an unknown member.</exception>
    private static async Task<TBody> ReadAsync<TBody>(HttpRequest request, JsonTypeInfo<TBody> type)
        where TBody : class
    {
        try
        {
            return await JsonSerializer.DeserializeAsync(request.Body, type, request.HttpContext.RequestAborted)
                ?? throw AdminException.Invalid("The body is null. Send an object.");
        }
        catch (JsonException e)
        {
            throw AdminException.Invalid($"The body is not the expected JSON, which the OpenAPI document describes: {e.Message}");
        }
    }
}
