using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Chat.Configuration;
using PlayChat.Core.Hosting;

namespace PlayChat.Server.Tests.Configuration;

/// <summary>Writes the files that repeat what the options say of themselves.</summary>
internal static class GeneratedFiles
{
    private const string Begin = "<!-- generated: begin -->";
    private const string End = "<!-- generated: end -->";

    private static readonly JsonSerializerOptions s_json =
        new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Writes appsettings.json. The section of Serilog is kept as it is.</summary>
    public static string AppSettings(string current)
    {
        var root = new JsonObject();
        foreach (Setting setting in SettingsCatalog.All)
        {
            Set(root, setting.Key.Split(':'), setting.IsLiteral ? JsonNode.Parse(setting.Default)! : JsonValue.Create(setting.Default)!);
        }

        root[SettingsCatalog.SerilogSection] = JsonNode.Parse(current)![SettingsCatalog.SerilogSection]!.DeepClone();
        return root.ToJsonString(s_json).ReplaceLineEndings("\n") + "\n";
    }

    /// <summary>Writes docs/reference/limits.md, for operators of the chat server. Keeps what is outside of the markers.</summary>
    public static string Limits(string current) => Replace(current, ChatServerTables());

    /// <summary>Writes docs/reference/server-options.md, for developers of a server. Keeps what is outside of the markers.</summary>
    public static string ServerOptions(string current) => Replace(current, OwnServerTables());

    private static string Replace(string current, string tables)
    {
        int begin = current.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        int end = current.IndexOf(End, StringComparison.Ordinal);
        return current[..begin] + "\n" + tables + "\n" + current[end..];
    }

    private static void Set(JsonObject root, string[] path, JsonNode value)
    {
        JsonNode node = root;
        for (int i = 0; i < path.Length - 1; i++)
        {
            bool isList = int.TryParse(path[i + 1], out _);
            if (int.TryParse(path[i], out int index))
            {
                var list = (JsonArray)node;
                if (list.Count == index)
                {
                    list.Add(new JsonObject());
                }

                node = list[index]!;
            }
            else
            {
                node = ((JsonObject)node)[path[i]] ??= isList ? new JsonArray() : new JsonObject();
            }
        }

        ((JsonObject)node)[path[^1]] = value;
    }

    private static string ChatServerTables()
    {
        var text = new StringBuilder();
        AppendOptions(text, "## Options of the chat server", SettingsCatalog.All, withReload: true);
        AppendConsequences(text, SettingsCatalog.All);
        text.Append(
            """

            ## Defaults that protect

            These defaults keep a server that strangers can reach alive, and fair to its other clients.

            | option | default | without it |
            | --- | --- | --- |

            """.ReplaceLineEndings("\n"));
        foreach (Setting setting in SettingsCatalog.All)
        {
            if (setting.Why is { } why)
            {
                text.Append(CultureInfo.InvariantCulture, $"| `{setting.Key}` | `{setting.Default}` | {why} |\n");
            }
        }

        return text.ToString();
    }

    private static string OwnServerTables()
    {
        var options = new PlayChatOptions();
        options.ListenTcp("127.0.0.1:7000");
        Setting[] settings = [.. Setting.Of(options, "PlayChat:")];
        var text = new StringBuilder();
        AppendOptions(text, "## Options", settings, withReload: false);
        AppendConsequences(text, settings);
        return text.ToString();
    }

    /// <summary>Writes a table for each section of the configuration.</summary>
    private static void AppendOptions(StringBuilder text, string heading, IEnumerable<Setting> settings, bool withReload)
    {
        text.Append(CultureInfo.InvariantCulture, $"\n{heading}\n");
        foreach (IGrouping<string, Setting> section in settings.GroupBy(
            static setting => SectionOf(setting.Key), StringComparer.Ordinal))
        {
            text.Append(CultureInfo.InvariantCulture, $"\n### {section.Key}\n\n");
            text.Append(withReload
                ? "| option | default | allowed | what it is | reload |\n| --- | --- | --- | --- | --- |\n"
                : "| option | default | allowed | what it is |\n| --- | --- | --- | --- |\n");
            foreach (Setting setting in section)
            {
                text.Append(
                    CultureInfo.InvariantCulture,
                    $"| `{setting.Key}` | {(setting.Default.Length == 0 ? "–" : $"`{setting.Default}`")} | {setting.Allowed} | "
                        + $"{setting.Description} |{(!withReload ? "" : setting.IsReloadable ? " yes |" : " |")}\n");
            }
        }
    }

    private static void AppendConsequences(StringBuilder text, IEnumerable<Setting> settings)
    {
        text.Append(
            """

            ## When a limit is reached

            *Told* means that the server tells the peer the reason before it closes the connection: by your `OnClosing`, without one by
            the close notice of packets ([how](../how-to/closing.md)). The chat server sends S_CLOSE_NTF.

            | option | when it is reached | see it in |
            | --- | --- | --- |

            """.ReplaceLineEndings("\n"));
        foreach (Setting limit in settings)
        {
            if (limit.WhenReached is { } consequence)
            {
                text.Append(CultureInfo.InvariantCulture, $"| `{limit.Key}` | {consequence} | {limit.SeenIn ?? "–"} |\n");
            }
        }
    }

    /// <summary>What a key begins with: its section, of the framework with that below <c>PlayChat</c>.</summary>
    private static string SectionOf(string key)
    {
        string[] path = key.Split(':');
        return path.Length == 1 ? "The program" : path[0] != "PlayChat" ? path[0] : path.Length == 2 ? "PlayChat" : $"PlayChat:{path[1]}";
    }
}
