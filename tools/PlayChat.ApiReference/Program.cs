using System.CommandLine;
using PlayChat.ApiReference;

var output = new Option<DirectoryInfo>("--output")
{
    Description = "Folder of the pages. The tool creates it when it is missing and deletes the pages that are in it.",
    DefaultValueFactory = static _ => new DirectoryInfo(Path.Combine("artifacts", "api")),
    HelpName = "FOLDER",
};
var command = new RootCommand("Writes the API reference of the packages as Markdown, from their XML documentation.") { output };
command.SetAction(result => Pages.Write(result.GetValue(output)!, Reference.Create(), Console.Out));
return command.Parse(args).Invoke();
