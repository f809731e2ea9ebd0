using Microsoft.Extensions.Configuration;

namespace PlayChat.Chat.Configuration;

/// <summary>Where the settings come from, now and at each reload.</summary>
internal sealed class SettingsSource
{
    private readonly Func<IConfigurationManager, ServerSettings> _load;

    /// <summary>File, environment and command line: the program.</summary>
    public SettingsSource(CommandLine commandLine)
    {
        _load = configuration => ServerConfiguration.Load(
            configuration, commandLine, ServerConfiguration.SettingsFile, Environment.GetEnvironmentVariables());
    }

    /// <summary>A section of another program's configuration.</summary>
    public SettingsSource(IConfiguration section)
    {
        _load = configuration => ServerConfiguration.Load(configuration, section);
    }

    /// <summary>Reads all sources, and checks what came together.</summary>
    /// <exception cref="StartException">A file was not read, a key is unknown or a value is not allowed.</exception>
    public ServerSettings Load(IConfigurationManager configuration) => _load(configuration);
}
