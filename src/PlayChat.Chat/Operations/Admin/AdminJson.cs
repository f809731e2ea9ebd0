using System.Text.Json.Serialization;
using PlayChat.Chat.Operations.Admin.Models;
using PlayChat.Webhooks;

namespace PlayChat.Chat.Operations.Admin;

/// <summary>Writes and reads the JSON of the admin API, by generated code.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    PropertyNameCaseInsensitive = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(AccountExport))]
[JsonSerializable(typeof(AccountRequest))]
[JsonSerializable(typeof(ActionResult))]
[JsonSerializable(typeof(BanRequest))]
[JsonSerializable(typeof(CloseList))]
[JsonSerializable(typeof(CloseRequest))]
[JsonSerializable(typeof(FigureHistoryPage))]
[JsonSerializable(typeof(IReadOnlyList<BanInfo>))]
[JsonSerializable(typeof(IReadOnlyList<LimitInfo>))]
[JsonSerializable(typeof(IReadOnlyList<LogLevelInfo>))]
[JsonSerializable(typeof(IReadOnlyList<WebhookStatus>))]
[JsonSerializable(typeof(LogLevelRequest))]
[JsonSerializable(typeof(MessageRequest))]
[JsonSerializable(typeof(NoticeRequest))]
[JsonSerializable(typeof(Page<AccountInfo>))]
[JsonSerializable(typeof(Page<DeadLetter>))]
[JsonSerializable(typeof(Page<MessageInfo>))]
[JsonSerializable(typeof(Page<ReportInfo>))]
[JsonSerializable(typeof(Page<RoomSummary>))]
[JsonSerializable(typeof(Page<SessionInfo>))]
[JsonSerializable(typeof(PasswordRequest))]
[JsonSerializable(typeof(Problem))]
[JsonSerializable(typeof(RecordingEvents))]
[JsonSerializable(typeof(RecordingList))]
[JsonSerializable(typeof(RecordingRequest))]
[JsonSerializable(typeof(RoomDetail))]
[JsonSerializable(typeof(RuntimeInfo))]
[JsonSerializable(typeof(ServerStatus))]
[JsonSerializable(typeof(SessionInfo))]
[JsonSerializable(typeof(ValueRequest))]
internal sealed partial class AdminJson : JsonSerializerContext;
