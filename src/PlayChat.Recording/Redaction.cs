using System.Collections.Concurrent;
using System.Reflection;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace PlayChat.Recording;

/// <summary>Which parts of which messages are not recorded (<see cref="NotRecordedAttribute"/>). Thread-safe.</summary>
internal sealed class Redaction
{
    private readonly Dictionary<ushort, Rule> _byPacket = [];
    private readonly ConcurrentDictionary<Type, Rule?> _byType = []; // of the jobs' arguments

    internal Redaction(PacketSet packets)
    {
        foreach (PacketType packet in packets.All)
        {
            Type kind = packet.GetType();
            bool isJson = kind.IsGenericType && kind.GetGenericTypeDefinition() == typeof(JsonPacket<>);
            if (RuleOf(packet.MessageType, isJson) is { } rule)
            {
                _byPacket.Add(packet.Id, rule);
            }
        }
    }

    /// <summary>Leaves out what is not recorded of a packet.</summary>
    /// <returns><see langword="false"/> if that is the whole content.</returns>
    internal bool TryApply(ushort? packetId, ref ReadOnlySpan<byte> body) =>
        packetId is not { } id || !_byPacket.TryGetValue(id, out Rule? rule) || rule.TryApply(ref body);

    internal bool TryApply(Type argument, ref ReadOnlySpan<byte> json) =>
        _byType.GetOrAdd(argument, static type => RuleOf(type, isJson: true))?.TryApply(ref json) ?? true;

    [UnconditionalSuppressMessage(
        "Trimming", "IL2070", Justification = "A property that was trimmed is not in the message's JSON either.")]
    private static Rule? RuleOf(Type message, bool isJson)
    {
        if (message.IsDefined(typeof(NotRecordedAttribute)))
        {
            return new Rule([], IsWhole: true);
        }

        PropertyInfo[] properties = message.GetProperties();
        IEnumerable<string> marked = properties.Where(static property => property.IsDefined(typeof(NotRecordedAttribute)))
            .Select(static property => property.Name)
            .Concat(message.GetConstructors().SelectMany(static made => made.GetParameters())
                .Where(static parameter => parameter.IsDefined(typeof(NotRecordedAttribute))).Select(static parameter => parameter.Name!));
        HashSet<string> names = [.. marked.Select(name => JsonNameOf(properties, name))];
        return names.Count == 0 ? null : new Rule(names, IsWhole: !isJson);
    }

    private static string JsonNameOf(PropertyInfo[] properties, string name)
    {
        PropertyInfo? property = Array.Find(properties, property => property.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
        return Plain(property?.GetCustomAttribute<JsonPropertyNameAttribute>()?.Name ?? name);
    }

    /// <summary>The same for each naming policy.</summary>
    private static string Plain(string name) =>
        name.Replace("_", "", StringComparison.Ordinal).Replace("-", "", StringComparison.Ordinal).ToUpperInvariant();

    private sealed record Rule(HashSet<string> Names, bool IsWhole)
    {
        internal bool TryApply(ref ReadOnlySpan<byte> body)
        {
            try
            {
                if (!IsWhole && JsonNode.Parse(body) is JsonObject message)
                {
                    Empty(message);
                    body = Encoding.UTF8.GetBytes(message.ToJsonString());
                    return true;
                }
            }
            catch (Exception e) when (e is JsonException or ArgumentException or InvalidOperationException)
            {
                // A room may send anything as a raw frame, for example JSON in which a name is there twice. What has no such property is
                // left out as a whole.
            }

            body = default;
            return false;
        }

        private void Empty(JsonObject message)
        {
            foreach (string name in message.Select(static entry => entry.Key).Where(key => Names.Contains(Plain(key))).ToArray())
            {
                message[name] = message[name]?.GetValueKind() switch
                {
                    JsonValueKind.Array => new JsonArray(),
                    JsonValueKind.String => "",
                    JsonValueKind.Number => 0,
                    JsonValueKind.True or JsonValueKind.False => false,
                    _ => null,
                };
            }
        }
    }
}
