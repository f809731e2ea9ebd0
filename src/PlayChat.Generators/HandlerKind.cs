namespace PlayChat.Generators;

/// <summary>What a handler's method is called on.</summary>
internal enum HandlerKind
{
    Static, // nothing: it is static
    Shared, // an object that is made once
    Scoped, // an object that is made for each message, in a scope of its own
    Room, // the sender's room, in its turn
}
