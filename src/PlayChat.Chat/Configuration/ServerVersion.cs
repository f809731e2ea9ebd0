using System.Reflection;

namespace PlayChat.Chat.Configuration;

/// <summary>Which program this is.</summary>
internal static class ServerVersion
{
    /// <summary>The version, such as <c>0.1.0</c>.</summary>
    public static string Number { get; } = typeof(ServerVersion).Assembly.GetName().Version!.ToString(3);

    /// <summary>
    /// The version and the commit that the program was built from, as every program of PlayChat prints it for <c>--version</c>:
    /// <c>0.1.0+3f2c…</c>.
    /// </summary>
    public static string Build { get; } =
        typeof(ServerVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? Number;

    /// <summary>Program and version, such as <c>PlayChat 0.1.0</c>.</summary>
    public static string Text { get; } = $"PlayChat {Number}";
}
