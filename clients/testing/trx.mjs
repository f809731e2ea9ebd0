// Reports a run of node:test as a .trx file, as dotnet test writes it: .ci/run counts those.
const escape = (text) => String(text).replace(/[&<>"]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[character])
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "?");

export default async function* trx(source) {
    const results = [];
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for await (const { type, data } of source) {
        // A test that a name pattern leaves out was not asked for, and so not skipped.
        const isLeftOut = data.skip === "test name does not match pattern";
        if ((type !== "test:pass" && type !== "test:fail") || data.details?.type === "suite" || isLeftOut) {
            continue;
        }
        const outcome = data.skip !== undefined ? "NotExecuted" : type === "test:pass" ? "Passed" : "Failed";
        counts[{ NotExecuted: "skipped", Passed: "passed", Failed: "failed" }[outcome]]++;
        const error = data.details?.error;
        const message = error === undefined ? "" : `
      <Output>
        <ErrorInfo>
          <Message>${escape(error.cause?.stack ?? error.cause ?? error.message)}</Message>
        </ErrorInfo>
      </Output>
    `;
        results.push(`    <UnitTestResult testName="${escape(data.name)}" outcome="${outcome}">${message}</UnitTestResult>\n`);
    }
    const { passed, failed, skipped } = counts;
    yield `<?xml version="1.0" encoding="utf-8"?>
<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
  <Results>
${results.join("")}  </Results>
  <ResultSummary outcome="${failed > 0 ? "Failed" : "Completed"}">
    <Counters total="${passed + failed + skipped}" executed="${passed + failed}" passed="${passed}" failed="${failed}" />
  </ResultSummary>
</TestRun>
`;
}
