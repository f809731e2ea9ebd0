namespace PlayChat.FunctionalTests.Resume;

/// <summary>What a <see cref="CuttingProxy"/> does to a connection.</summary>
internal enum Cut
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>Both sides are reset.</summary>
    Reset,

    /// <summary>The last byte of a packet is left out, and both streams end in order.</summary>
    Truncate,

    /// <summary>Nothing passes any more, and nobody is told, until the client gives up.</summary>
    Stall,
}
