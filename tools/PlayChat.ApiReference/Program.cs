using System.CommandLine;
using PlayChat.ApiReference;

var output = new Option<DirectoryInfo>("--output")
{
    Description = "Folder of the pages; what was generated there before is replaced.",
    DefaultValueFactory = _ => new DirectoryInfo(Path.Combine("docs", "api")),
    HelpName = "FOLDER",
};
var check = new Option<bool>("--check") { Description = "Writes nothing: exit code 1 and the names of the pages when they are not what the code says." };
var command = new RootCommand("Writes the API reference of the packages as Markdown, from their XML documentation.") { output, check };
command.SetAction(result =>
{
    DirectoryInfo folder = result.GetValue(output)!;
    IReadOnlyDictionary<string, string> pages = Reference.Create();
    return result.GetValue(check) ? Pages.Check(folder, pages, Console.Out) : Pages.Write(folder, pages, Console.Out);
});
return command.Parse(args).Invoke();
