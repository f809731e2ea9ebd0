using System.Collections;
using System.Diagnostics;
using System.Text;
using Microsoft.Extensions.Configuration;
using PlayChat.Chat.Configuration;
using PlayChat.TestUtilities;
using PlayChat.TestUtilities.Processes;

namespace PlayChat.Server.Tests.Configuration;

/// <summary>A configuration file is read as a whole, or the reason is told; it never counts as empty.</summary>
public sealed class ConfigurationFileTests : IDisposable
{
    private const string Closed = """{ "Accounts": { "AutoRegister": false } }""";

    private readonly TemporaryDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(".hidden.json")]
    [InlineData(".folder/settings.json")]
    [InlineData("..data/..settings.json")]
    [InlineData("settings")]
    public void A_named_file_is_read_whatever_its_name(string name)
    {
        string file = Write(name, Closed);

        Assert.False(Load(file).Accounts.AutoRegister);
    }

    [Fact]
    public void A_file_with_the_hidden_attribute_is_read()
    {
        Assert.SkipUnless(OperatingSystem.IsWindows(), "Only Windows has this attribute; elsewhere the name decides.");
        string file = Write("settings.json", Closed);
        File.SetAttributes(file, FileAttributes.Hidden | FileAttributes.System);

        Assert.False(Load(file).Accounts.AutoRegister);
    }

    [Fact]
    public void A_file_behind_links_is_read()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need a privilege on Windows.");
        Write("v1/settings.json", Closed);
        Directory.CreateSymbolicLink(_folder.Combine("..data"), "v1");
        string link = _folder.Combine("settings.json");
        File.CreateSymbolicLink(link, "..data/settings.json");

        Assert.False(Load(link).Accounts.AutoRegister);
    }

    [Theory]
    [InlineData("", "It is empty; an empty configuration is {}.")]
    [InlineData(" \n", "It is empty; an empty configuration is {}.")]
    [InlineData("{ \"Rooms\":\n  { \"MaxMembers\": 5,\n    nonsense", "line 3, character 5: ")]
    [InlineData("{ \"Rooms\": { \"MaxMembers\": 5 ", "line 1, character ")]
    [InlineData("[]", "Top-level JSON element must be an object.")]
    [InlineData("null", "Top-level JSON element must be an object.")]
    [InlineData("{ \"Mode\": \"echo\", \"mode\": \"chat\" }", "A duplicate key 'mode' was found.")]
    public void A_file_that_is_no_whole_configuration_is_refused_with_the_place(string content, string expected)
    {
        string file = Write("settings.json", content);

        StartException problem = Assert.Throws<StartException>(() => Load(file));

        Assert.StartsWith($"Reading {file} failed: {expected}", problem.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', problem.Message);
    }

    [Fact]
    public void A_file_in_another_encoding_is_refused_unless_a_mark_tells_it()
    {
        string file = _folder.Combine("settings.json");
        const string Content = """{ "Accounts": { "AutoRegister": false }, "Kpi": { "JsonFile": "Schlüssel" } }""";
        File.WriteAllText(file, Content, Encoding.Unicode); // with its mark
        Assert.Equal("Schlüssel", Load(file).Kpi.JsonFile);

        File.WriteAllText(file, Content, Encoding.Latin1);

        Assert.Equal(
            $"Reading {file} failed: it is not UTF-8. Convert it, such as with iconv -t UTF-8.",
            Assert.Throws<StartException>(() => Load(file)).Message);
    }

    [Fact]
    public void A_pipe_without_a_writer_does_not_hold_the_reader()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no pipes among its files.");
        string pipe = _folder.Combine("pipe.json");
        using (var make = ChildProcess.Start(new ProcessStartInfo("mkfifo", [pipe])))
        {
            make.WaitForExit();
        }

        StartException problem = Assert.Throws<StartException>(() => ConfigurationFile.TryRead(pipe, TimeSpan.FromMilliseconds(100)));

        Assert.StartsWith($"Reading {pipe} failed: nothing came within 0.1 s.", problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_named_file_that_is_gone_later_is_refused()
    {
        string file = Write("settings.json", Closed);
        var commandLine = CommandLine.Parse(["--config", file]);
        File.Delete(file);

        StartException problem = Assert.Throws<StartException>(() => Load(commandLine, "none.json"));

        Assert.Equal($"Reading {file} failed: there is no such file.", problem.Message);
    }

    [Fact]
    public void The_file_beside_the_program_may_be_missing_but_not_after_it_was_read()
    {
        var commandLine = CommandLine.Parse([]);
        string file = _folder.Combine("appsettings.json");

        Assert.True(Load(commandLine, file).Accounts.AutoRegister);
        Write("appsettings.json", Closed);
        Assert.False(Load(commandLine, file).Accounts.AutoRegister);
        File.Delete(file);

        Assert.Equal(
            $"Reading {file} failed: there is no such file.",
            Assert.Throws<StartException>(() => Load(commandLine, file)).Message);
    }

    [Fact]
    public void A_link_to_nothing_and_a_folder_do_not_count_as_missing()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need a privilege on Windows.");
        string link = _folder.Combine("link.json");
        File.CreateSymbolicLink(link, "gone.json");
        string folder = Directory.CreateDirectory(_folder.Combine("folder.json")).FullName;

        StartException dangling = Assert.Throws<StartException>(() => Load(CommandLine.Parse([]), link));
        StartException directory = Assert.Throws<StartException>(() => Load(CommandLine.Parse([]), folder));
        StartException named = Assert.Throws<StartException>(() => CommandLine.Parse(["--config", folder]));

        Assert.Equal($"Reading {link} failed: it is a link to a file that does not exist.", dangling.Message);
        Assert.Equal($"Reading {folder} failed: it is a folder.", directory.Message);
        Assert.Equal($"--config is '{folder}', which is a folder; name a file.", named.Message);
    }

    [Fact]
    public void A_file_that_may_not_be_read_is_refused()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows() || Environment.UserName == "root", "root may read every file.");
        string file = Write("settings.json", Closed);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(file, UnixFileMode.None);
        }

        StartException problem = Assert.Throws<StartException>(() => Load(file));

        Assert.StartsWith($"Reading {file} failed: ", problem.Message, StringComparison.Ordinal);
    }

    private static ServerSettings Load(string file) => Load(CommandLine.Parse(["--config", file]), "none.json");

    private static ServerSettings Load(CommandLine commandLine, string beside) =>
        ServerConfiguration.Load(new ConfigurationManager(), commandLine, beside, new Hashtable());

    private string Write(string name, string content)
    {
        string file = _folder.Combine(name);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, content);
        return file;
    }
}
