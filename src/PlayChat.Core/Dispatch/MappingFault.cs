namespace PlayChat.Core.Dispatch;

/// <summary>
/// The exceptions for mappings of packets that the router refuses. Their messages say which packet and why, so a host logs them without
/// a stack trace.
/// </summary>
internal static class MappingFault
{
    private const string Key = "PlayChat.MappingFault";

    internal static InvalidOperationException Create(string message, Exception? inner = null)
    {
        var fault = new InvalidOperationException(message, inner);
        fault.Data[Key] = true;
        return fault;
    }

    /// <summary>Whether <see cref="Create"/> has made an exception.</summary>
    internal static bool Is(Exception exception) => exception is InvalidOperationException && exception.Data.Contains(Key);
}
