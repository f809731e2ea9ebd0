namespace PlayChat.Generators;

/// <summary>What a handler's method is called on.</summary>
internal enum HandlerKind
{
    /// <summary>Nothing: it is static.</summary>
    Static,

    /// <summary>An object that is made once.</summary>
    Shared,

    /// <summary>An object that is made for each message, in a scope of its own.</summary>
    Scoped,

    /// <summary>The sender's room, in its turn.</summary>
    Room,
}
