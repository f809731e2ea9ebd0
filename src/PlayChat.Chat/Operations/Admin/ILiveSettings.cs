namespace PlayChat.Chat.Operations.Admin;

/// <summary>Changes settings of the running server.</summary>
internal interface ILiveSettings
{
    /// <summary>The value in effect; <see langword="null"/> where the configuration has none.</summary>
    string? Find(string key);

    /// <summary>The log levels in effect: a source, or <c>Default</c>, and the level.</summary>
    IReadOnlyDictionary<string, string> LogLevels { get; }

    /// <summary>Writes a value into the running server. The next reload or restart reads the configuration again.</summary>
    /// <param name="key">A key that can be changed while the server runs, or a log level.</param>
    /// <param name="value">The new value.</param>
    /// <returns>The value before.</returns>
    /// <exception cref="Configuration.StartException">The key needs a restart, or the value is not allowed.</exception>
    Task<string> ChangeAsync(string key, string value);
}
