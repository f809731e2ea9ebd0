using Microsoft.Extensions.Configuration;
using Serilog.Formatting.Compact;

namespace PlayChat.Chat.Configuration;

/// <summary>Turns the configured console and files of the log from text to JSON lines.</summary>
internal static class JsonLines
{
    private static readonly string s_formatter =
        $"{typeof(RenderedCompactJsonFormatter).FullName}, {typeof(RenderedCompactJsonFormatter).Assembly.GetName().Name}";

    /// <summary>
    /// Gives each console and file of section Serilog the JSON formatter in place of its output template. One that has a formatter of its
    /// own keeps it.
    /// </summary>
    public static void Apply(IConfiguration configuration)
    {
        foreach (IConfigurationSection sink in Sinks(configuration.GetSection(SettingsCatalog.SerilogSection)).ToList())
        {
            if (sink["Args:formatter"] is null)
            {
                sink["Args:formatter"] = s_formatter;
                sink["Args:outputTemplate"] = null;
            }
        }
    }

    private static IEnumerable<IConfigurationSection> Sinks(IConfigurationSection section)
    {
        if (section["Name"] is "Console" or "File")
        {
            yield return section;
        }

        foreach (IConfigurationSection sink in section.GetChildren().SelectMany(Sinks))
        {
            yield return sink;
        }
    }
}
