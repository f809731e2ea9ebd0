using System.CommandLine;
using System.Text.Json.Nodes;
using PlayChat.Tool;

namespace PlayChat.Recording.Tests;

/// <summary>The command <c>playchat replay</c>.</summary>
public sealed class CommandTests
{
    private static readonly string s_assembly = typeof(ShopRoom).Assembly.Location;

    [Fact]
    public async Task A_recording_that_this_build_repeats_is_identical()
    {
        using var folder = new Folder();
        string file = await Shop.RecordAsync(folder);

        (int exitCode, string output, _) = await RunAsync(file, "--configure", "Shop.Configure");

        Assert.Equal(0, exitCode);
        Assert.StartsWith("identical, ", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_room_that_differs_is_exit_code_1_with_the_first_difference()
    {
        using var folder = new Folder();
        Shop shop = await Shop.StartAsync(folder, make: static context => new ShopRoom(context) { MaxTotal = 0 });
        await shop.SendAsync(await shop.EnterAsync("ada"), new Buy(1));
        string file = await shop.StopAsync(folder);

        (int exitCode, string output, _) = await RunAsync(file, "--configure", "Shop.Configure", "--json");

        Assert.Equal(1, exitCode);
        JsonNode result = JsonNode.Parse(output)!;
        Assert.StartsWith("the handler of Buy", (string)result["divergence"]!["during"]!, StringComparison.Ordinal);
        Assert.Contains("\"Discount\": 0", (string)result["divergence"]!["difference"]!, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Shop.Nothing", "no static method Shop.Nothing")]
    [InlineData(null, "Choose one by --configure.")]
    public async Task A_server_that_is_not_found_is_exit_code_2(string? configure, string problem)
    {
        using var folder = new Folder();
        string file = await Shop.RecordAsync(folder);

        (int exitCode, _, string error) = await RunAsync(file, configure is null ? [] : ["--configure", configure]);

        Assert.Equal(2, exitCode);
        Assert.Contains(problem, error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_that_is_no_recording_is_exit_code_2()
    {
        (int exitCode, _, string error) = await RunAsync(s_assembly);

        Assert.Equal(2, exitCode);
        Assert.Equal("playchat: The file is no recording of a room.", error.Trim());
    }

    private static async Task<(int ExitCode, string Output, string Error)> RunAsync(string file, params string[] options)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        int exitCode = await Commands.Create().Parse(["replay", file, "--assembly", s_assembly, .. options])
            .InvokeAsync(new InvocationConfiguration { Output = output, Error = error }, TestContext.Current.CancellationToken);
        return (exitCode, output.ToString(), error.ToString());
    }
}
