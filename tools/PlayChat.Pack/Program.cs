using System.CommandLine;
using System.Text.RegularExpressions;
using PlayChat.Pack;

var output = new Option<DirectoryInfo?>("--output")
{
    Description = "Folder of the packages (artifacts/packages of the repository). It is created when it is missing; PlayChat's packages in "
        + "it are replaced.",
    HelpName = "FOLDER",
};
var version = new Option<string?>("--version")
{
    Description = "Version of the packages, such as 1.2.3 or 1.2.3-beta.1 (the one in Directory.Build.props).",
    HelpName = "VERSION",
};
version.Validators.Add(static result =>
{
    string value = result.GetValueOrDefault<string?>() ?? "";
    if (!VersionPattern().IsMatch(value))
    {
        result.AddError($"'{value}' is not a version; give one such as 1.2.3 or 1.2.3-beta.1.");
    }
});

var configuration = new Option<string>("--configuration")
{
    Description = "Configuration of the build.",
    HelpName = "NAME",
    DefaultValueFactory = static _ => "Release",
};
var noBuild = new Option<bool>("--no-build")
{
    Description = "Packs what `dotnet build` has built in this configuration, in seconds. The symbols of such packages name folders of "
        + "this machine, so do not publish them.",
};

var command = new RootCommand(
    """
    Packs every package of src/, with its symbols, the templates, the benchmark and the tool. The folder is then a package source:

      dotnet add package PlayChat.Core --source FOLDER

    Builds in artifacts/pack, apart from other builds. Deletes unpacked copies of the same version from NuGet's package folder, so that the
    next restore takes the new packages. To try packages of the build that you have just made:

      tools/pack --configuration Debug --no-build
    """)
{
    output,
    configuration,
    noBuild,
};
// System.CommandLine's own --version would print the version of this tool.
foreach (Option builtIn in command.Options.Where(static option => option.Name == "--version").ToArray())
{
    command.Options.Remove(builtIn);
}

command.Options.Add(version);
command.Validators.Add(result =>
{
    if (result.GetValue(noBuild) && result.GetResult(version) is not null)
    {
        result.AddError("The version is part of the build, so --version and --no-build exclude each other.");
    }
});
command.SetAction((result, cancellationToken) => new Packer(Console.Out, Console.Error).PackAsync(
    result.GetValue(output), result.GetValue(version), result.GetValue(configuration)!, !result.GetValue(noBuild), cancellationToken));

ParseResult parsed = command.Parse(args);
if (parsed.Errors.Count > 0)
{
    await Console.Error.WriteLineAsync($"pack: {parsed.Errors[0].Message} Run with --help to list all options.");
    return 2;
}

return await parsed.InvokeAsync();

internal static partial class Program
{
    [GeneratedRegex(@"^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex VersionPattern();
}
