using Microsoft.Extensions.Configuration;

namespace PlayChat.Chat.Configuration;

/// <summary>The checked configuration that the server runs with. It changes as a whole, and only to another checked one.</summary>
internal sealed class LiveConfiguration : ConfigurationProvider, IConfigurationSource
{
    /// <param name="configuration">Checked by <see cref="ServerConfiguration"/>.</param>
    public LiveConfiguration(IConfiguration configuration)
    {
        Data = Values(configuration);
    }

    /// <summary>All keys that have a value.</summary>
    public IReadOnlyDictionary<string, string?> Current => (Dictionary<string, string?>)Data;

    /// <summary>The keys of a configuration that have a value.</summary>
    public static Dictionary<string, string?> Values(IConfiguration configuration) => new(
        configuration.AsEnumerable().Where(static entry => entry.Value is not null), StringComparer.OrdinalIgnoreCase);

    /// <summary>Takes other values, and tells those that watch the configuration: Serilog watches its levels.</summary>
    public void Replace(Dictionary<string, string?> values)
    {
        Data = values;
        OnReload();
    }

    IConfigurationProvider IConfigurationSource.Build(IConfigurationBuilder builder) => this;
}
