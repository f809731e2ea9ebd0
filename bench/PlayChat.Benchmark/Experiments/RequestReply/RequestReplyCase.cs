using System.Globalization;

namespace PlayChat.Benchmark.Experiments.RequestReply;

/// <summary>One load of the request-reply experiment.</summary>
/// <param name="Ccu">Connections.</param>
/// <param name="Inflight">Requests outstanding on each.</param>
/// <param name="Size">Bytes of a request's payload.</param>
/// <param name="IsForAll">Whether baselines are measured with it, too.</param>
internal sealed record RequestReplyCase(int Ccu, int Inflight, int Size, bool IsForAll = true)
{
    /// <summary>As a chart's axis shows it.</summary>
    public string Name => string.Create(CultureInfo.InvariantCulture, $"{SizeText.Format(Size)}, CCU {Ccu}");
}
