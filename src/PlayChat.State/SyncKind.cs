namespace PlayChat.State;

/// <summary>How a value is written: proto/STATE.md, "Schema".</summary>
internal enum SyncKind : byte
{
    Boolean = 1,
    Byte = 2,
    Unsigned = 3,
    Signed = 4,
    Float = 5,
    Double = 6,
    Text = 7,
    Fixed = 8,
    Range = 9,
    Object = 10,
    List = 11,
    Map = 12,
}
