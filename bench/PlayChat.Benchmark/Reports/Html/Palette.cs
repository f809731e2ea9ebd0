using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.RequestReply;

namespace PlayChat.Benchmark.Reports.Html;

/// <summary>How each server looks in every chart: a color of report.css and a marker. Published figures share one marker.</summary>
/// <remarks>Marker and hatching repeat what the color says, for readers who do not see the colors.</remarks>
internal static class Palette
{
    // The last three are baselines of tools/foreign.
    private static readonly string[] s_subjects =
    [
        ExperimentRun.Ours, Subjects.NativeLinux, .. Subjects.Baselines, Subjects.KestrelPackets, Subjects.Packets,
        RequestReplyExperiment.Awaited, "dotnetty", "signalr", "mqtt",
    ];

    // Circle, square, diamond, triangles, cross, star, flat and tall bar, triangles to the sides, hourglass, half disc, upright cross: 10
    // pixels across.
    private static readonly string[] s_markers =
    [
        "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
        "M-4-4h8v8h-8z",
        "M0-5.5L5.5 0 0 5.5-5.5 0z",
        "M0-5L5 4H-5z",
        "M0 5L5-4H-5z",
        "M-4.5-2.5L-2.5-4.5 0-2 2.5-4.5 4.5-2.5 2 0 4.5 2.5 2.5 4.5 0 2-2.5 4.5-4.5 2.5-2 0z",
        "M0-5.5L1.5-1.5 5.5 0 1.5 1.5 0 5.5-1.5 1.5-5.5 0-1.5-1.5z",
        "M-5-2.5h10v5h-10z",
        "M-2.5-5h5v10h-5z",
        "M-4-5L5 0-4 5z",
        "M4-5L-5 0 4 5z",
        "M-4.5-4.5h9l-9 9h9z",
        "M-5 2.5a5 5 0 0 1 10 0z",
        "M-1.5-5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
    ];

    /// <summary>The class in report.css.</summary>
    public static string Class(string subject, bool published) => published ? "pub" : $"s{Number(subject)}";

    /// <summary>The SVG path of a point, around 0,0.</summary>
    public static string Marker(string subject, bool published) => s_markers[published ? 2 : Number(subject)];

    private static int Number(string subject)
    {
        int index = Array.IndexOf(s_subjects, subject);
        if (index < 0 && subject.EndsWith(Subjects.PacketsOf, StringComparison.Ordinal))
        {
            index = Array.IndexOf(s_subjects, subject[..^Subjects.PacketsOf.Length]);
        }

        return index < 0 ? s_subjects.Length : index;
    }
}
