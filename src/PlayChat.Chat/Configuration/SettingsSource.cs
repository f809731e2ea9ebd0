using Microsoft.Extensions.Configuration;

namespace PlayChat.Chat.Configuration;

/// <summary>Reads the settings from where they come, at the start and at each reload, and checks what came together.</summary>
/// <exception cref="StartException">A file was not read, a key is unknown or a value is not allowed.</exception>
internal delegate ServerSettings SettingsSource(IConfigurationManager configuration);
