using PlayChat.Chat.Configuration;
using PlayChat.Chat.Hosting;
using PlayChat.Core.Hosting;

namespace PlayChat.Server.Tests.Configuration;

/// <summary>check-config says what the start would say.</summary>
public sealed class CheckTests
{
    [Theory]
    [InlineData("Web:Port is 7999, which PlayChat:Endpoints:0:Address has already", "--port=7999", "--Web:Port=7999")]
    [InlineData("Web:Port is 7999, which PlayChat:Endpoints:0:Address has already", "--port=7999", "--Web:Port=7999", "--Web:Enabled=True")]
    [InlineData(
        "Web:Port is 7998, which Operations:Address has already", "--Web:Port=7998", "--Operations:Enabled=true",
        "--Operations:Address=127.0.0.1:7998")]
    [InlineData(
        "Web:Port is 7998, which Operations:Address has already", "--host=*", "--Web:Enabled=True", "--Web:Port=7998",
        "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:7998")]
    [InlineData(
        "Operations:Address is '127.0.0.1:7999', which PlayChat:Endpoints:0:Address ('127.0.0.1:7999') has already", "--port=7999",
        "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:7999")]
    [InlineData(
        "Operations:Address is '127.0.0.1:7999', which PlayChat:Endpoints:1:Address ('*:7999') has already",
        "--PlayChat:Endpoints:1:Address=*:7999", "--Operations:Enabled=true", "--Operations:Address=127.0.0.1:7999")]
    public async Task Two_parts_with_one_port_are_named(string expected, params string[] args)
    {
        StartException problem = await Assert.ThrowsAsync<StartException>(() => ServerHost.CheckAsync(CommandLine.Parse(args)));

        Assert.StartsWith(expected, problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_operations_endpoint_that_is_off_needs_no_port() =>
        await ServerHost.CheckAsync(CommandLine.Parse(["--port=7999", "--Operations:Address=127.0.0.1:7999"]));

    [Theory]
    [InlineData("Cluster:Engine Postgres needs a database that all nodes share", "--Cluster:NodeId=1", "--Cluster:Engine=Postgres")]
    [InlineData(
        "A setting of RabbitMq is invalid", "--Cluster:NodeId=1", "--Cluster:Engine=RabbitMq", "--RabbitMq:Endpoints=a:b:c")]
    public async Task A_cluster_that_cannot_start_is_named(string expected, params string[] args)
    {
        StartException problem = await Assert.ThrowsAsync<StartException>(() => ServerHost.CheckAsync(CommandLine.Parse(args)));

        Assert.StartsWith(expected, problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_missing_certificate_is_said_once_and_of_the_endpoint_that_names_it()
    {
        OptionsException problem = await Assert.ThrowsAsync<OptionsException>(() => ServerHost.CheckAsync(
            CommandLine.Parse(["--Web:Enabled=True", "--PlayChat:Endpoints:0:Tls:CertificatePath=none.pem"])));

        Assert.Equal(
            ["PlayChat:Endpoints:0:Tls:CertificatePath is 'none.pem'; there is no such file."], problem.Problems);
    }
}
