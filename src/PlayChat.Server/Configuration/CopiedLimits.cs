namespace PlayChat.Server.Configuration;

/// <summary>Limits of which a part of the server keeps a copy, because it knows no settings. A reload copies them again.</summary>
/// <remarks>Thread-safe.</remarks>
internal sealed class CopiedLimits
{
    private volatile Action[] _copies = [];

    /// <summary>Adds what copies a limit, and runs it. Call it before the server has started.</summary>
    public void Add(Action copy)
    {
        copy();
        _copies = [.. _copies, copy];
    }

    /// <summary>Copies all limits again. Reloads run one after the other.</summary>
    public void CopyAll() => Array.ForEach(_copies, static copy => copy());
}
