namespace PlayChat.Core.Dispatch;

/// <summary>Logs malformed packets: which one it was, what was wrong with it, and its sender, within the bounds of a
/// <see cref="PeerLogLimit"/>. Thread-safe.</summary>
internal sealed class MalformedPackets(ILogger logger, TimeProvider time)
{
    /// <summary>The longest text of a problem, in characters: a peer has a part in it.</summary>
    internal const int MaxProblemLength = 200;

    private readonly PeerLogLimit _limit = new(time);

    /// <summary>Notes one. The reason is looked for only when it is logged: the body is then read a second time.</summary>
    internal void Log(PacketContext context, PacketRoute route, in Frame frame)
    {
        EndPoint? peer = context.Connection.RemoteEndPoint;
        if (!logger.IsEnabled(LogLevel.Warning) || !_limit.TryTake(peer, out int leftOut))
        {
            return;
        }

        PacketType type = route.Type;
        string problem = frame.BodyBytes > route.MaxBodyBytes
            ? string.Create(
                CultureInfo.InvariantCulture, $"The body has {frame.BodyBytes} bytes; this packet takes {route.MaxBodyBytes} at most.")
            : Clean(type.DescribeProblem(in frame) ?? "The packet's type does not say why.");
        DispatchLog.Malformed(logger, type.Id, type.Name, context.Connection.Id, peer, type.MessageType, problem, leftOut);
    }

    /// <summary>Shortens a text and replaces what a terminal or a log reader would not show as it is.</summary>
    internal static string Clean(string problem)
    {
        string cut = problem.Length <= MaxProblemLength ? problem : string.Concat(problem.AsSpan(0, MaxProblemLength), "…");
        return string.Create(cut.Length, cut, static (clean, text) =>
        {
            for (int i = 0; i < clean.Length; i++)
            {
                clean[i] = IsShown(text[i]) ? text[i] : '?';
            }
        });
    }

    private static bool IsShown(char character) => CharUnicodeInfo.GetUnicodeCategory(character) is not (
        UnicodeCategory.Control
        or UnicodeCategory.Format
        or UnicodeCategory.LineSeparator
        or UnicodeCategory.ParagraphSeparator
        or UnicodeCategory.PrivateUse
        or UnicodeCategory.Surrogate
        or UnicodeCategory.OtherNotAssigned);
}
