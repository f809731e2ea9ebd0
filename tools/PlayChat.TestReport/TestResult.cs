namespace PlayChat.TestReport;

/// <param name="Class">The class, with its namespace.</param>
/// <param name="Name">The test, as the runner names it.</param>
/// <param name="Outcome">What became of it. A test without a known outcome, such as one that a crash has ended, has failed.</param>
/// <param name="Duration">How long it took.</param>
/// <param name="Message">Why it failed or was skipped.</param>
internal sealed record TestResult(string Class, string Name, Outcome Outcome, TimeSpan Duration, string Message);
