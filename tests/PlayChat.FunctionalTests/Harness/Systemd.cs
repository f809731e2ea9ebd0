using System.Globalization;
using System.Text.Json;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>A systemd of a test's own, in namespaces of its own, which has the server's units of <c>deploy/systemd</c> and no others. It
/// starts the server under test as its user, with all that the unit forbids it. Needs root on Linux.</summary>
internal sealed class Systemd : IAsyncDisposable
{
    public const string SkipReason = "A systemd of a test's own needs root on Linux, systemd, and control groups of version 2.";

    private const string Program = "/lib/systemd/systemd";

    // $1 the folder of the test, $2 that of the server, $3 that of the units, $4 the port. What systemd, the units and the server write to
    // is in memory, and gone at the end. The units of the system are hidden: systemd-tmpfiles would empty /tmp.
    private const string Boot =
        """
        set -e
        mount --make-rprivate /
        mount -t tmpfs tmpfs /run
        mkdir -p /run/opt/playchat && cp -a "$2/." /run/opt/playchat && cp -a "$1" /run/test && cp -a "$3" /run/units
        chmod -R a+rX /run/opt
        cp -a /etc /run/etc && mount --bind /run/etc /etc && mount --bind /run/opt /opt
        for place in /tmp /var/tmp /var/lib /usr/lib/systemd/system /usr/lib/systemd/system-generators; do mount -t tmpfs tmpfs $place; done
        umount -R /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup
        echo playchat:x:990:990::/var/lib/playchat:/usr/sbin/nologin >>/etc/passwd
        echo playchat:x:990: >>/etc/group
        mkdir -p /etc/playchat && cp /run/test/playchat.json /run/test/environment /etc/playchat
        rm -rf /etc/systemd/system && mkdir -p /etc/systemd/system/playchat.socket.d && cp /run/units/playchat.s* /etc/systemd/system
        printf '[Socket]\nListenStream=\nListenStream=127.0.0.1:%s\n' "$4" >/etc/systemd/system/playchat.socket.d/port.conf
        for target in test sysinit basic sockets shutdown network-online multi-user; do
            printf '[Unit]\nDefaultDependencies=no\n' >/etc/systemd/system/$target.target
        done
        container=test exec /lib/systemd/systemd --system --unit=test.target --log-target=console --show-status=no
        """;

    private readonly TemporaryDirectory _folder = new();
    private readonly ReservedPort _port = new();
    private readonly string _group;
    private ProgramProcess? _process;

    private Systemd(string group) => _group = group;

    public static bool IsAvailable => OperatingSystem.IsLinux() && Environment.UserName == "root" && File.Exists(Program)
        && FindGroups() is not null;

    /// <summary>Where systemd listens for the server.</summary>
    public int Port => _port.Number;

    /// <summary>Starts systemd, and the server by it.</summary>
    public static async Task<Systemd> StartAsync()
    {
        var systemd = new Systemd(Path.Combine(FindGroups()!, $"playchat-test-{Guid.NewGuid():N}"));
        try
        {
            await systemd.BootAsync();
            await systemd.RunAsync("start", "playchat.socket", "playchat.service");
            return systemd;
        }
        catch
        {
            await systemd.DisposeAsync();
            throw;
        }
    }

    /// <summary>Runs <c>systemctl</c>, which has to succeed.</summary>
    /// <returns>What it has printed.</returns>
    public async Task<string> RunAsync(params string[] arguments)
    {
        await using ProgramProcess systemctl = Enter(arguments);
        int exitCode = await systemctl.WaitForExitAsync();
        Assert.True(exitCode == 0, systemctl.Describe() + _process!.Describe());
        return string.Join('\n', systemctl.OutputLines);
    }

    public async ValueTask DisposeAsync()
    {
        if (_process is not null)
        {
            await _process.DisposeAsync(); // the first process of the namespace ends with it, and all others with that
        }

        // A group can be removed when the last process in it is gone, which the end of the namespace does not wait for.
        await Eventually.GetAsync(
            async () =>
            {
                await using var removing =
                    ProgramProcess.Start("/usr/bin/find", "/", _group, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";");
                await removing.WaitForExitAsync();
                return Directory.Exists(_group);
            },
            static exists => !exists);
        _port.Dispose();
        _folder.Dispose();
    }

    private static string? FindGroups()
    {
        IEnumerable<string[]> mounts = File.ReadLines("/proc/mounts").Select(static line => line.Split(' ')); // device, place, type, …
        return mounts.FirstOrDefault(static mount => mount[2] == "cgroup2")?[1];
    }

    private async Task BootAsync()
    {
        string address = string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{Port}");
        await File.WriteAllTextAsync(_folder.Combine("boot"), Boot);
        await File.WriteAllTextAsync(
            _folder.Combine("playchat.json"),
            JsonSerializer.Serialize(new
            {
                PlayChat = new { Endpoints = new[] { new { Address = address } } },
                Web = new { Enabled = false },
            }));
        await File.WriteAllLinesAsync(
            _folder.Combine("environment"),
            [
                "DOTNET_ROLL_FORWARD=Major",
                "PLAYCHAT_Sessions__ReturnWithin=00:00:00.200", // few clients
                .. ServerProcess.Unlimited.Select(static option => $"PLAYCHAT_{option[2..].Replace(":", "__", StringComparison.Ordinal)}"),
            ]);
        Directory.CreateDirectory(_group);
        // The shell is in the group before it makes the namespace whose root the group is.
        _process = ProgramProcess.Start(
            "/bin/bash",
            "/",
            "-c",
            "echo $$ >\"$0/cgroup.procs\" && "
                + "exec setsid unshare --kill-child --fork --pid --mount --uts --ipc --cgroup --mount-proc bash \"$@\"",
            _group,
            _folder.Combine("boot"),
            _folder.Path,
            Path.GetDirectoryName(ProgramFile.Server)!,
            Repository.PathOf("deploy/systemd"),
            Port.ToString(CultureInfo.InvariantCulture));
        await Eventually.GetAsync(
            async () =>
            {
                if (FindFirst() is null)
                {
                    return "";
                }

                await using ProgramProcess systemctl = Enter("is-active", "test.target");
                await systemctl.WaitForExitAsync();
                return systemctl.OutputLines is [var state, ..] ? state : "";
            },
            static state => state == "active");
    }

    private ProgramProcess Enter(params string[] arguments) => ProgramProcess.Start(
        "/usr/bin/nsenter", "/", ["-t", FindFirst()!, "-m", "-p", "-u", "-i", "-C", "systemctl", "--no-pager", .. arguments]);

    /// <summary>The first process of the namespace.</summary>
    private string? FindFirst()
    {
        string children = File.ReadAllText(
            string.Create(CultureInfo.InvariantCulture, $"/proc/{_process!.Id}/task/{_process.Id}/children"));
        return children.Split(' ')[0] is { Length: > 0 } first ? first : null;
    }
}
