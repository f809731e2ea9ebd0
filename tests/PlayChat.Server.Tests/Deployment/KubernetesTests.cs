using System.Collections;
using System.Globalization;
using Microsoft.Extensions.Configuration;
using PlayChat.Chat.Configuration;
using PlayChat.Chat.Operations;
using PlayChat.TestUtilities;
using YamlDotNet.RepresentationModel;

namespace PlayChat.Server.Tests.Deployment;

/// <summary>deploy/kubernetes/playchat.yaml against the server: its settings, ports and paths exist and fit together.</summary>
public sealed class KubernetesTests : IDisposable
{
    private const string Prefix = "PLAYCHAT_";

    private readonly TemporaryDirectory _folder = new();
    private readonly Dictionary<string, YamlNode> _objects = Load();

    private YamlNode Container => _objects["StatefulSet"]["spec"]["template"]["spec"]["containers"][0];

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Every_setting_exists_and_the_server_accepts_the_values()
    {
        string[] names = [.. Variables().Keys.Cast<string>()];

        Assert.NotEmpty(names);
        Assert.All(names, AssertExists);
        ServerSettings settings = LoadSettings(out _);
        Assert.True(settings.Operations.Enabled);
        Assert.Equal(7781, OperationsAddress.Check(settings.Operations).Port); // throws if other machines reach it without a token
    }

    [Fact]
    public void Ports_and_probes_name_what_the_server_listens_on()
    {
        ServerSettings settings = LoadSettings(out IConfiguration configuration);
        Dictionary<string, string> ports =
            Items(Container["ports"]).ToDictionary(
                static port => Text(port["name"]), static port => Text(port["containerPort"]), StringComparer.Ordinal);

        Assert.Equal(configuration[SettingsCatalog.AddressKey], "*:" + ports["chat"]);
        Assert.Equal(settings.Web.Port.ToString(CultureInfo.InvariantCulture), ports["web"]);
        Assert.Equal(settings.Operations.Address, "*:" + ports["operations"]);
        Assert.All(Items(_objects["Service"]["spec"]["ports"]), port => Assert.True(ports.ContainsKey(Text(port["targetPort"]))));
        foreach ((string probe, string path) in new[]
        {
            ("startupProbe", "/healthz/live"), ("livenessProbe", "/healthz/live"), ("readinessProbe", "/healthz/ready"),
        })
        {
            YamlNode get = Container[probe]["httpGet"];
            Assert.Equal((path, "operations", "HTTPS"), (Text(get["path"]), Text(get["port"]), Text(get["scheme"])));
        }
    }

    [Fact]
    public void Chat_and_web_use_the_certificate_that_the_pod_mounts()
    {
        LoadSettings(out IConfiguration configuration);
        string folder = Text(Items(Container["volumeMounts"]).Single(static mount => Text(mount["name"]) == "tls")["mountPath"]);

        // The port for browsers has the TLS of the first endpoint.
        Assert.Equal(folder, Path.GetDirectoryName(configuration["PlayChat:Endpoints:0:Tls:CertificatePath"]));
        Assert.Equal(folder, Path.GetDirectoryName(configuration["PlayChat:Endpoints:0:Tls:KeyPath"]));
    }

    [Fact]
    public void The_pod_gets_no_variables_of_other_services()
    {
        Assert.Equal("false", Text(_objects["StatefulSet"]["spec"]["template"]["spec"]["enableServiceLinks"]));
    }

    [Fact]
    public void Kubernetes_waits_longer_for_the_stop_than_the_server_takes()
    {
        LoadSettings(out IConfiguration configuration);
        double grace = Number(_objects["StatefulSet"]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]);
        double wait = Number(Container["lifecycle"]["preStop"]["sleep"]["seconds"]);

        Assert.True(TimeSpan.FromSeconds(grace - wait) > StopTime.Of(configuration));
    }

    [Fact]
    public void Selectors_volumes_and_users_fit_together()
    {
        YamlNode pod = _objects["StatefulSet"]["spec"]["template"];
        string app = Text(pod["metadata"]["labels"]["app"]);
        string[] volumes =
        [
            .. Items(pod["spec"]["volumes"]).Select(static volume => Text(volume["name"])),
            .. Items(_objects["StatefulSet"]["spec"]["volumeClaimTemplates"]).Select(static claim => Text(claim["metadata"]["name"])),
        ];
        string containerFile = DeployFolder.Read("container/Containerfile");

        Assert.Equal(app, Text(_objects["StatefulSet"]["spec"]["selector"]["matchLabels"]["app"]));
        Assert.Equal(app, Text(_objects["Service"]["spec"]["selector"]["app"]));
        Assert.Equal(app, Text(_objects["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]["app"]));
        Assert.Equal(
            Text(_objects["ConfigMap"]["metadata"]["name"]), Text(Container["envFrom"][0]["configMapRef"]["name"]));
        Assert.All(Items(Container["volumeMounts"]), mount => Assert.Contains(Text(mount["name"]), volumes, StringComparer.Ordinal));
        string user = Text(pod["spec"]["securityContext"]["runAsUser"]);
        Assert.Contains($"\nUSER {user}:{user}\n", containerFile, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_setting_of_the_container_image_exists()
    {
        string[] names = [.. DeployFolder.Read("container/Containerfile").Split(' ', '\n')
            .Where(static word => word.StartsWith(Prefix, StringComparison.Ordinal)).Select(static word => word.Split('=')[0])];

        Assert.NotEmpty(names);
        Assert.All(names, AssertExists);
        Assert.Contains($"{Prefix}Operations__TokenFile", names, StringComparer.Ordinal); // a container may share the host's network
    }

    private static void AssertExists(string variable)
    {
        string key = variable[Prefix.Length..].Replace("__", ":", StringComparison.Ordinal);
        Assert.True(SettingsCatalog.Find(key) is not null || SettingsCatalog.IsSerilog(key), variable);
    }

    private static Dictionary<string, YamlNode> Load()
    {
        var stream = new YamlStream();
        using var reader = new StringReader(DeployFolder.Read("kubernetes/playchat.yaml"));
        stream.Load(reader);
        return stream.Documents.ToDictionary(
            static document => Text(document.RootNode["kind"]), static document => document.RootNode, StringComparer.Ordinal);
    }

    private static string Text(YamlNode node) => ((YamlScalarNode)node).Value!;

    private static double Number(YamlNode node) => double.Parse(Text(node), CultureInfo.InvariantCulture);

    private static IEnumerable<YamlNode> Items(YamlNode node) => (YamlSequenceNode)node;

    /// <summary>What the container finds in its environment, with a token in place of the secret's.</summary>
    private Hashtable Variables()
    {
        var variables = new Hashtable();
        foreach ((YamlNode name, YamlNode value) in (YamlMappingNode)_objects["ConfigMap"]["data"])
        {
            variables[Text(name)] = Text(value);
        }

        foreach (YamlNode variable in Items(Container["env"]))
        {
            variables[Text(variable["name"])] = new string('t', 32);
        }

        return variables;
    }

    // The certificate's paths exist in the container only.
    private ServerSettings LoadSettings(out IConfiguration configuration)
    {
        Hashtable variables = Variables();
        foreach (string name in new[] { "CertificatePath", "KeyPath" })
        {
            string file = _folder.Combine(name);
            File.WriteAllText(file, "");
            variables[$"{Prefix}Operations__{name}"] = file;
        }

        var manager = new ConfigurationManager();
        configuration = manager;
        return ServerConfiguration.Load(manager, CommandLine.Parse([]), ServerConfiguration.SettingsFile, variables);
    }
}
