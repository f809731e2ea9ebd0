using System.Text.Json.Serialization;

namespace PlayChat.Webhooks;

/// <summary>Writes the JSON of requests by generated code.</summary>
[JsonSerializable(typeof(MessageBatch.Content))]
internal sealed partial class WebhookJson : JsonSerializerContext;
