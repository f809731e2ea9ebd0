namespace PlayChat.Server.Configuration;

/// <summary>Which program this is.</summary>
internal static class ServerVersion
{
    /// <summary>The version, such as <c>0.1.0</c>.</summary>
    public static string Number { get; } = typeof(ServerVersion).Assembly.GetName().Version!.ToString(3);

    /// <summary>Program and version, such as <c>PlayChat 0.1.0</c>.</summary>
    public static string Text { get; } = $"PlayChat {Number}";
}
