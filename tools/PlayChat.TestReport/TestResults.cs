using System.Globalization;
using System.Xml.Linq;

namespace PlayChat.TestReport;

/// <summary>Reads .trx files, the format of Visual Studio's test results.</summary>
internal static class TestResults
{
    private static readonly XNamespace s_trx = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";

    public static IReadOnlyList<TestResult> Read(DirectoryInfo folder, DateTime since) =>
    [
        .. folder.GetFiles("*.trx", SearchOption.AllDirectories)
            .Where(file => file.LastWriteTimeUtc >= since)
            .SelectMany(static file => Read(file.FullName)),
    ];

    private static List<TestResult> Read(string file)
    {
        XElement run = XDocument.Load(file).Root!;
        Dictionary<string, string> classes = run.Descendants(s_trx + "UnitTest").ToDictionary(
            static test => (string)test.Attribute("id")!,
            static test => (string?)test.Element(s_trx + "TestMethod")?.Attribute("className") ?? "",
            StringComparer.Ordinal);
        List<TestResult> tests = [.. run.Descendants(s_trx + "UnitTestResult").Select(result => Read(result, classes))];

        // A process that crashed or hung names no test, but the run has failed.
        if (tests.TrueForAll(static test => test.Outcome != Outcome.Failed)
            && (string?)run.Element(s_trx + "ResultSummary")?.Attribute("outcome") is "Failed" or "Error" or "Aborted" or "Timeout")
        {
            string message = string.Join('\n', run.Descendants(s_trx + "RunInfo").Select(static info => info.Value.Trim()));
            tests.Add(new TestResult("", Path.GetFileName(file), Outcome.Failed, TimeSpan.Zero, message));
        }

        return tests;
    }

    private static TestResult Read(XElement result, Dictionary<string, string> classes)
    {
        Outcome outcome = (string?)result.Attribute("outcome") switch
        {
            "Passed" => Outcome.Passed,
            "NotExecuted" or "NotRunnable" => Outcome.Skipped, // the second is an explicit test to a program of xunit
            _ => Outcome.Failed,
        };
        XElement? output = result.Element(s_trx + "Output");
        string message = (string?)output?.Element(s_trx + "ErrorInfo")?.Element(s_trx + "Message")
            ?? (string?)output?.Element(s_trx + "StdOut")
            ?? (outcome == Outcome.Skipped ? "Explicit: runs only when it is asked for" : "No message");
        _ = TimeSpan.TryParse((string?)result.Attribute("duration"), CultureInfo.InvariantCulture, out TimeSpan duration);
        return new TestResult(
            classes.GetValueOrDefault((string?)result.Attribute("testId") ?? "", ""),
            (string?)result.Attribute("testName") ?? "",
            outcome,
            duration,
            message.Trim());
    }
}
