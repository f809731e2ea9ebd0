using PlayChat.TestUtilities;


namespace PlayChat.Server.Tests.Configuration;

public sealed class GeneratedFilesTests
{
    private const string UpdateVariable = "PLAYCHAT_UPDATE_GENERATED";

    [Fact]
    public void The_settings_file_is_what_the_options_say() => Check("src/PlayChat.Server/appsettings.json", GeneratedFiles.AppSettings);

    [Fact]
    public void The_documented_options_are_what_the_options_say() => Check("docs/reference/limits.md", GeneratedFiles.Limits);

    [Fact]
    public void The_documented_options_of_the_framework_are_what_the_options_say() =>
        Check("docs/reference/server-options.md", GeneratedFiles.ServerOptions);

    private static void Check(string file, Func<string, string> generate)
    {
        string path = Repository.PathOf(file);
        string current = File.ReadAllText(path).ReplaceLineEndings("\n");
        string expected = generate(current);
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            File.WriteAllText(path, expected);
            current = expected;
        }

        Assert.True(
            current == expected,
            $"{file} differs from what the options say. Run this and commit the file:\n"
                + $"{UpdateVariable}=1 dotnet test tests/PlayChat.Server.Tests --filter {nameof(GeneratedFilesTests)}");
    }
}
