using System.Globalization;

namespace PlayChat.Benchmark.Experiments;

/// <summary>Sizes as experiments name their cases: "64 B", "4 KB".</summary>
internal static class SizeText
{
    public static string Format(int bytes) => bytes >= 1024 && bytes % 1024 == 0
        ? string.Create(CultureInfo.InvariantCulture, $"{bytes / 1024} KB")
        : string.Create(CultureInfo.InvariantCulture, $"{bytes} B");
}
