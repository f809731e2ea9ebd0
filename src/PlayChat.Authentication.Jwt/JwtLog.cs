using Microsoft.Extensions.Logging;

namespace PlayChat.Authentication.Jwt;

/// <summary>Log messages of logins by token: event ids 1900–1919. Never a token, nor what it says.</summary>
internal static partial class JwtLog
{
    [LoggerMessage(1900, LogLevel.Debug, "A token was refused: {Fault}.")]
    public static partial void Refused(ILogger logger, string fault);

    [LoggerMessage(
        1901, LogLevel.Warning,
        "The keys that sign tokens could not be read from {Address}: {Problem} Tokens of known keys are accepted meanwhile. "
            + "Check the address, and that this machine reaches the provider.")]
    public static partial void KeysUnavailable(ILogger logger, string address, string problem);
}
