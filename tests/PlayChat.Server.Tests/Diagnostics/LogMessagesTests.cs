using System.Net;
using System.Reflection;
using Microsoft.Extensions.Logging;
using PlayChat.Chat.Diagnostics;
using PlayChat.Core.Framing;

namespace PlayChat.Server.Tests.Diagnostics;

/// <summary>What a line of the log must say so that an operator finds all lines of one connection.</summary>
public sealed class LogMessagesTests
{
    // The link has no connection yet, or it is one of HTTP.
    private static readonly string[] s_withoutConnection =
        ["AbortFault", "OpenFault", "Refused", "TokenRefused", "UpgradeRefused"];

    [Fact]
    public void Every_line_about_a_peer_has_the_id_of_its_connection()
    {
        MethodInfo[] messages =
        [
            .. new[] { typeof(FrameFormat).Assembly, typeof(ServerLog).Assembly }
                .SelectMany(static assembly => assembly.GetTypes())
                .SelectMany(static type => type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic))
                .Where(static method => method.GetCustomAttribute<LoggerMessageAttribute>() is not null),
        ];

        string[] lacking =
        [
            .. messages.Where(static message => IsAboutPeer(message) && !Has(message, "connectionId"))
                .Select(static message => message.Name)
                .Except(s_withoutConnection, StringComparer.Ordinal),
        ];

        Assert.True(messages.Length > 60, $"{messages.Length} messages were found.");
        Assert.Empty(lacking);
    }

    private static bool IsAboutPeer(MethodInfo message) =>
        Has(message, "remoteEndPoint") || Has(message, "playerId") || Has(message, "playerName") || Has(message, "sessionId")
        || (Has(message, "packetId") && message.GetParameters().Any(static parameter => parameter.ParameterType == typeof(EndPoint)));

    private static bool Has(MethodInfo message, string parameter) =>
        message.GetParameters().Any(p => p.Name!.Equals(parameter, StringComparison.OrdinalIgnoreCase));
}
