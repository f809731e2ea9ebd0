#pragma warning disable CS1591 // used by generated code alone

namespace PlayChat.State;

/// <summary>In which form values are written: proto/STATE.md, "Messages".</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum StateForm
{
    Full,
    Absolute,
    Relative,
}
