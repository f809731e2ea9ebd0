namespace PlayChat.TestReport;

internal enum Outcome
{
    Passed,
    Failed,
    Skipped,
}
