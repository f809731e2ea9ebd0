using System.Globalization;
using System.Runtime.CompilerServices;

namespace PlayChat.Benchmark.Tests;

internal static class InvariantNumbers
{
    // The program sets the culture of its run. Tests also call parts of it without the program.
    [ModuleInitializer]
    internal static void Use() =>
        CultureInfo.CurrentCulture = CultureInfo.DefaultThreadCurrentCulture = CultureInfo.InvariantCulture;
}
