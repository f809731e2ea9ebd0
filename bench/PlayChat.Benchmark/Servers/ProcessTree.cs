namespace PlayChat.Benchmark.Servers;

/// <summary>The processor time of a process and of all processes below it, such as a database with a process for each connection.</summary>
/// <remarks>Linux only: the figures are those of <c>/proc</c>.</remarks>
internal static class ProcessTree
{
    // USER_HZ, which Linux fixes for all programs, whatever the kernel's own clock is.
    private const double TicksPerSecond = 100;

    // Fields of /proc/N/stat behind the name, which ends with the last parenthesis: man 5 proc.
    private const int Parent = 1;
    private const int UserTime = 11;
    private const int ChildrensSystemTime = 14;

    /// <summary>
    /// Adds up the time of a process, of its children that have ended, and of those that run, down to the last generation.
    /// </summary>
    /// <returns>Zero when there is no such process.</returns>
    public static TimeSpan ReadCpuTime(int id)
    {
        var ticks = new Dictionary<int, long>();
        var children = new List<(int Parent, int Child)>();
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out int process)
                && TryRead(folder) is { } fields)
            {
                ticks[process] = fields[UserTime..(ChildrensSystemTime + 1)].Sum(static field => Number(field));
                children.Add(((int)Number(fields[Parent]), process));
            }
        }

        ILookup<int, int> childrenOf = children.ToLookup(static pair => pair.Parent, static pair => pair.Child);
        long sum = 0;
        for (var open = new Stack<int>([id]); open.TryPop(out int process);)
        {
            sum += ticks.GetValueOrDefault(process);
            foreach (int child in childrenOf[process])
            {
                open.Push(child);
            }
        }

        return TimeSpan.FromSeconds(sum / TicksPerSecond);
    }

    private static string[]? TryRead(string folder)
    {
        try
        {
            string stat = File.ReadAllText(Path.Combine(folder, "stat"));
            return stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null; // it has ended meanwhile
        }
    }

    private static long Number(string field) => long.Parse(field, CultureInfo.InvariantCulture);
}
