using System.Reflection;
using Microsoft.Extensions.Logging;
using PlayChat.Core.Framing;

namespace PlayChat.Core.Tests.Architecture;

public sealed class EventIdTests
{
    [Fact]
    public void Every_log_message_of_Core_has_an_event_id_of_its_own()
    {
        const BindingFlags All =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
        (int Id, string Method)[] messages =
        [
            .. from type in typeof(FrameFormat).Assembly.GetTypes()
               from method in type.GetMethods(All)
               let message = method.GetCustomAttribute<LoggerMessageAttribute>()
               where message is not null
               select (message.EventId, $"{type.Name}.{method.Name}"),
        ];

        Assert.NotEmpty(messages);
        Assert.Empty(messages
            .GroupBy(static message => message.Id)
            .Where(static group => group.Count() > 1)
            .Select(static group => $"{group.Key}: {string.Join(", ", group.Select(static message => message.Method))}"));
    }
}
