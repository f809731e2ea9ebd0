using PlayChat.ClientContract;

// Runs the contract of PlayChat.Connector on the runtime that runs this program, such as Mono. PlayChat.Connector.Tests starts it.
// Arguments: for each address of the two servers "own=ADDRESS" or "forgetful=ADDRESS"; "only=TEXT" runs the statements whose names have it.
// Prints "passed STATEMENT" or "failed STATEMENT", and why. Exits with the number of failures.
Dictionary<string, string> Addresses(string kind) => args.Where(arg => arg.StartsWith(kind + "=", StringComparison.Ordinal))
    .Select(arg => arg.Substring(kind.Length + 1))
    .ToDictionary(static address => new Uri(address).Scheme, StringComparer.Ordinal);

var servers = new ContractServers(Addresses("own"), Addresses("forgetful"));
string only = args.FirstOrDefault(static arg => arg.StartsWith("only=", StringComparison.Ordinal))?.Substring("only=".Length) ?? "";
int failures = 0;
foreach (IContractSubject subject in new[] { new ConnectorSubject(), new ConnectorSubject(polls: true) })
{
    foreach (string scheme in new[] { "tcp", "ws" })
    {
        foreach ((string name, Func<ContractRun, Task> statement) in Statements.All)
        {
            if (!name.Contains(only, StringComparison.Ordinal))
            {
                continue;
            }

            try
            {
                await using var run = new ContractRun(subject, servers, scheme);
                await statement(run).ConfigureAwait(false);
                Console.WriteLine($"passed {scheme}: {name}");
            }
            catch (Exception e)
            {
                failures++; // whatever it is, it is the statement's failure
                Console.WriteLine($"failed {scheme}: {name}: {e}");
            }
        }
    }
}

return failures;
