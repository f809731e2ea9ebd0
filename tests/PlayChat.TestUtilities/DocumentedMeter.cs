using System.Diagnostics.Metrics;

namespace PlayChat.TestUtilities;

/// <summary>Compares the instruments of a package with the reference and with the dashboard for game servers.</summary>
public static class DocumentedMeter
{
    /// <summary>Finds the instruments that the reference lacks, and those that the dashboard does not show.</summary>
    /// <param name="meter">The meter's name. It has to exist already.</param>
    public static IReadOnlyList<string> FindMissing(string meter)
    {
        List<string> missing = [];
        string reference = Repository.Read("docs/reference/metrics.md");
        string dashboard = Repository.Read("deploy/prometheus/grafana-game-server.json");
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter.Name != meter)
                {
                    return;
                }

                if (!reference.Contains($"| `{instrument.Name}` |", StringComparison.Ordinal))
                {
                    missing.Add($"{instrument.Name} in the reference");
                }

                if (!dashboard.Contains(SeriesOf(instrument) + "{", StringComparison.Ordinal))
                {
                    missing.Add($"{SeriesOf(instrument)} in the dashboard");
                }
            },
        };
        listener.Start();
        return missing;
    }

    /// <summary>The series of Prometheus that an instrument becomes, by the rules of OpenTelemetry.</summary>
    private static string SeriesOf(Instrument instrument)
    {
        string unit = instrument.Unit switch { "s" => "_seconds", "By" => "_bytes", _ => "" };
        string kind = instrument switch { Histogram<double> => "_bucket", Counter<long> => "_total", _ => "" };
        return instrument.Name.Replace('.', '_') + unit + kind;
    }
}
