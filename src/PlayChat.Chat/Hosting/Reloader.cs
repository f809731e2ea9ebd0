using System.Collections;
using System.Reflection;
using Microsoft.Extensions.Configuration;
using PlayChat.Chat.Operations.Admin;

namespace PlayChat.Chat.Hosting;

/// <summary>Reads the configuration of a running server again and applies what may change while it runs.</summary>
/// <remarks>
/// <para>A configuration that is invalid, or whose files cannot all be read, is refused as a whole. A valid one is written,
/// value by value, into the options objects that the parts of
/// the server hold. A part that uses a reloadable option reads the property each time; such reads and writes are atomic. The files of the
/// TLS certificates are read again as well.</para>
/// <para>Thread-safe; reloads run one after the other.</para>
/// </remarks>
internal sealed class Reloader(
    SettingsSource source,
    LiveConfiguration live,
    ServerSettings settings,
    PlayChatServer server,
    ILogger<Reloader> logger) : ILiveSettings, IDisposable
{
    private readonly SemaphoreSlim _turn = new(1);
    private readonly List<(string Name, Func<Task> Reload, Action? Check)> _parts = []; // filled before the server starts

    /// <summary>Adds a part that has more than options to reload. Call it before the server starts.</summary>
    /// <param name="name">What is reloaded, for the log: "TLS certificates".</param>
    /// <param name="reload">Throws when the new content is invalid; the part then keeps what it has.</param>
    /// <param name="check">Throws a <see cref="StartException"/> when a file of the part is invalid: nothing is reloaded then.</param>
    public void Add(string name, Func<Task> reload, Action? check = null) => _parts.Add((name, reload, check));

    /// <summary>Reloads, and logs what came of it. Never throws.</summary>
    public async Task ReloadAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // not on the thread of signals
        try
        {
            if (!ReloadOptions())
            {
                return;
            }

            ReloadCertificates();
            foreach ((string name, Func<Task> reload, _) in _parts)
            {
                await ReloadAsync(name, reload);
            }
        }
        catch (Exception e)
        {
            ServerLog.ReloadFailed(logger, e);
        }
        finally
        {
            _turn.Release();
        }
    }

    public IReadOnlyDictionary<string, string> LogLevels => Configuration.LogLevels.Read(live.Current);

    public string? Find(string key) => live.Current.GetValueOrDefault(key);

    public async Task<string> ChangeAsync(string key, string value)
    {
        await _turn.WaitAsync();
        try
        {
            return Change(key, value);
        }
        finally
        {
            _turn.Release();
        }
    }

    public void Dispose() => _turn.Dispose();

    private string Change(string key, string value)
    {
        if (live.Current.GetValueOrDefault(key) is not { } before)
        {
            throw new StartException($"{key} has no value, so a running server cannot take one. Set it in the configuration and restart.");
        }

        if (SettingsCatalog.Find(key) is { } setting)
        {
            if (!setting.IsReloadable || FindOptions(key) is not { } options)
            {
                throw new StartException($"{key} needs a restart: set it in the configuration.");
            }

            if (setting.FindProblem(key, value) is { } problem)
            {
                throw new StartException(problem);
            }

            setting.Write(options, value);
        }
        else
        {
            Configuration.LogLevels.Check(key, value);
        }

        live.Replace(new Dictionary<string, string?>(live.Current, StringComparer.OrdinalIgnoreCase) { [key] = value });
        return before;
    }

    private async Task ReloadAsync(string name, Func<Task> reload)
    {
        try
        {
            await reload();
            ServerLog.PartReloaded(logger, name);
        }
        catch (Exception e)
        {
            // Of any kind: the part is another's code, and the parts after it must have their turn.
            ServerLog.PartNotReloaded(logger, name, e.Message);
        }
    }

    // The framework logs what it has read, and what it could not read.
    private void ReloadCertificates()
    {
        try
        {
            server.ReloadCertificates();
        }
        catch (InvalidOperationException)
        {
            // The server has not started yet. It reads the certificates when it does.
        }
    }

    /// <returns><see langword="false"/> if the configuration was refused.</returns>
    private bool ReloadOptions()
    {
        Dictionary<string, string?> values;
        try
        {
            var configuration = new ConfigurationManager();
            source(configuration);
            Configuration.LogLevels.Check(configuration);
            values = LiveConfiguration.Values(configuration);
            server.Validate(); // reads the certificates, so that they and the options change together or not at all
            _parts.ForEach(static part => part.Check?.Invoke());
        }
        catch (Exception e) when (e is StartException or OptionsException)
        {
            ServerLog.ReloadRefused(logger, e.Message);
            return false;
        }

        var next = new Dictionary<string, string?>(live.Current, StringComparer.OrdinalIgnoreCase);
        List<string> changes = [];
        List<string> waiting = [];
        foreach (string key in live.Current.Keys.Union(values.Keys, StringComparer.OrdinalIgnoreCase).Order(StringComparer.Ordinal))
        {
            string? before = live.Current.GetValueOrDefault(key);
            string? after = values.GetValueOrDefault(key);
            Setting? setting = SettingsCatalog.Find(key);
            if (before == after || (before is not null && after is not null && setting?.IsSame(before, after) == true))
            {
                continue;
            }

            if (setting is { IsReloadable: true } && after is not null && FindOptions(key) is { } options)
            {
                setting.Write(options, after);
            }
            else if (!Configuration.LogLevels.IsLevel(key) || before is null || after is null)
            {
                waiting.Add(key); // its values are not logged: one of them may be a password
                continue;
            }

            changes.Add($"{key} {before} → {after}");
            next[key] = after;
        }

        live.Replace(next);
        ServerLog.Reloaded(
            logger, changes.Count == 0 ? "no option that a running server takes over has changed" : string.Join(", ", changes));
        if (waiting.Count > 0)
        {
            ServerLog.NeedsRestart(logger, string.Join(", ", waiting));
        }

        return true;
    }

    /// <summary>Finds the object that has a key's property by the names in the key.</summary>
    /// <returns><see langword="null"/> for an endpoint that the running server does not have.</returns>
    private object? FindOptions(string key)
    {
        string[] path = key.Split(':');
        object? options = settings;
        foreach (string name in path[..^1])
        {
            options = int.TryParse(name, out int index)
                ? options is IList list && index < list.Count ? list[index] : null
                : options?.GetType().GetProperty(name, BindingFlags.Public | BindingFlags.Instance | BindingFlags.IgnoreCase)
                    ?.GetValue(options);
        }

        return options;
    }
}
