using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using PlayChat.Core.Hosting;
using PlayChat.Server.Configuration;

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

    /// <summary>Writes docs/reference/limits.md. What stands outside the markers is kept as it is.</summary>
    public static string Limits(string current)
    {
        int begin = current.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        int end = current.IndexOf(End, StringComparison.Ordinal);
        return current[..begin] + "\n" + Tables() + current[end..];
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

    private static string Tables()
    {
        Setting[] framework =
        [
            .. Setting.Of(new PlayChatOptions(), "PlayChat:").Where(
                static setting => SettingsCatalog.Find(setting.Key) is not { } own || own.Default != setting.Default),
        ];
        var text = new StringBuilder();
        text.Append(
            """

            ## Options of the chat server

            Keys under `PlayChat` are options of the framework, so your own server has them too. Its defaults are the same, except for those
            in the [next table](#options-of-the-framework-that-differ-in-your-own-server). Set a key in appsettings.json, in the
            environment (`PLAYCHAT_Rooms__MaxRooms=50`) or on the command line (`--Rooms:MaxRooms=50`); the later of these wins.


            """.ReplaceLineEndings("\n"));
        AppendOptions(text, SettingsCatalog.All);
        text.Append(
            """

            ## Options of the framework that differ in your own server

            Your own server has these defaults. There, `LoginTimeout` is off until you set it, because a server without logins has none to
            wait for. `ReplayBytes` is not a key of the chat server: its rooms send a player that resumes what it missed from their history.


            """.ReplaceLineEndings("\n"));
        AppendOptions(text, framework);
        text.Append(
            """

            ## When a limit is reached

            *Told* means that the server tells the peer the reason before it closes the connection: by your `OnClosing`, without one by
            the close notice of packets ([how](../how-to/closing.md)). The chat server sends S_CLOSE_NTF.

            | option | when it is reached | see it in |
            | --- | --- | --- |

            """.ReplaceLineEndings("\n"));
        foreach (Setting limit in SettingsCatalog.All.Concat(framework.Where(static setting => SettingsCatalog.Find(setting.Key) is null)))
        {
            if (limit.WhenReached is { } consequence)
            {
                text.Append(CultureInfo.InvariantCulture, $"| `{limit.Key}` | {consequence} | {limit.SeenIn ?? "–"} |\n");
            }
        }

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

        text.Append(
            """

            ## Options that a running server takes over

            Change them in the configuration file and [reload](#reload-the-configuration). Every other option needs a restart.


            """.ReplaceLineEndings("\n"));
        foreach (Setting setting in SettingsCatalog.All.Where(static setting => setting.IsReloadable))
        {
            text.Append(CultureInfo.InvariantCulture, $"- `{setting.Key}`\n");
        }

        return text.Append("- `Serilog:MinimumLevel`: each level that is set when the server starts\n\n").ToString();
    }

    private static void AppendOptions(StringBuilder text, IEnumerable<Setting> settings)
    {
        text.Append("| option | default | allowed | what it is |\n| --- | --- | --- | --- |\n");
        foreach (Setting setting in settings)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"| `{setting.Key}` | {(setting.Default.Length == 0 ? "–" : $"`{setting.Default}`")} | {setting.Allowed} | "
                    + $"{setting.Description} |\n");
        }
    }
}
