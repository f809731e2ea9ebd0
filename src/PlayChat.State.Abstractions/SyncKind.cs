#pragma warning disable CS1591 // used by generated code alone

namespace PlayChat.State;

/// <summary>How a value is written: proto/STATE.md, "Schema".</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum SyncKind
{
    None = 0,
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
