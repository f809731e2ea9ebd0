using PlayChat.Benchmark.Experiments;
using PlayChat.Benchmark.Experiments.RequestReply;
using PlayChat.Benchmark.Reports.Html;

namespace PlayChat.Benchmark.Tests.Reports;

public sealed class PaletteTests
{
    [Fact]
    public void Every_server_has_a_color_and_a_marker_of_its_own()
    {
        string[] subjects =
        [
            ExperimentRun.Ours, Subjects.NativeLinux, Subjects.Packets, RequestReplyExperiment.Awaited, Subjects.KestrelPackets,
            .. Subjects.Baselines, "dotnetty", "signalr", "mqtt", "unknown",
        ];

        Assert.Distinct(subjects.Select(static subject => Palette.Class(subject, published: false)), StringComparer.Ordinal);
        Assert.Distinct(subjects.Select(static subject => Palette.Marker(subject, published: false)), StringComparer.Ordinal);
        Assert.Equal(Palette.Class("signalr", published: false), Palette.Class("signalr, packets", published: false));
    }
}
