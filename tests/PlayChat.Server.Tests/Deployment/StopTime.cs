using Microsoft.Extensions.Configuration;

namespace PlayChat.Server.Tests.Deployment;

/// <summary>How long a server may take to stop.</summary>
internal static class StopTime
{
    private static readonly TimeSpan s_margin = TimeSpan.FromSeconds(10); // of ServerHost

    /// <summary>Adds what the settings allow each part of a stop.</summary>
    public static TimeSpan Of(IConfiguration settings) => s_margin
        + settings.GetValue<TimeSpan>("Operations:DrainDelay")
        + settings.GetValue<TimeSpan>("PlayChat:StopTimeout")
        + settings.GetValue<TimeSpan>("ChatLog:StopTimeout");
}
