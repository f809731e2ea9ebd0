using System.CommandLine;
using PlayChat.TestReport;

var folder = new Argument<DirectoryInfo>("FOLDER") { Description = "Folder of the .trx files. Its folders are searched as well." };
var since = new Option<long>("--since")
{
    Description = "Leaves out files that were written before this moment, in ticks of DateTime.UtcNow (0: takes all files).",
    HelpName = "TICKS",
};
var slowest = new Option<int>("--slowest")
{
    Description = "Also lists this many of the classes whose tests took longest (0 to 1000; 0).",
    HelpName = "N",
};
slowest.Validators.Add(static result =>
{
    if (result.GetValueOrDefault<int>() is < 0 or > 1000)
    {
        result.AddError("--slowest takes 0 to 1000.");
    }
});
var command = new RootCommand(
    """
    Sums up the results of test runs: the failed tests with their messages, then one line with the tests that passed, failed and were
    skipped, and why. Exit code: 0 no test failed; 1 a test failed, or none ran; 2 it cannot run, and one line says why.
    """)
{
    folder,
    since,
    slowest,
};
command.SetAction(result =>
{
    DirectoryInfo results = result.GetValue(folder)!;
    if (!results.Exists)
    {
        Console.Error.WriteLine($"report: There is no folder {results.FullName}.");
        return 2;
    }

    var tests = TestResults.Read(results, new DateTime(result.GetValue(since), DateTimeKind.Utc));
    new Report(tests).Write(Console.Out, result.GetValue(slowest));
    return tests.Any(static test => test.Outcome == Outcome.Failed) || tests.All(static test => test.Outcome == Outcome.Skipped) ? 1 : 0;
});

ParseResult parsed = command.Parse(args);
if (parsed.Errors.Count > 0)
{
    await Console.Error.WriteLineAsync($"report: {parsed.Errors[0].Message} Run with --help to list all options.");
    return 2;
}

return await parsed.InvokeAsync();
