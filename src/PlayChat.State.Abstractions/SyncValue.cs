#pragma warning disable CS1591 // called by generated code alone

namespace PlayChat.State;

/// <summary>A number, a text or an object that was received.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct SyncValue
{
    private readonly long _integer;
    private readonly double _real;
    private readonly object? _reference;
    private readonly SyncKind _kind; // Signed, Unsigned, Double, or None for a reference

    private SyncValue(SyncKind kind, long integer = 0, double real = 0, object? reference = null) =>
        (_kind, _integer, _real, _reference) = (kind, integer, real, reference);

    public long Int64 => _kind == SyncKind.Double ? SyncSpec.StepsOf(_real, 1) : _integer;

    public double Double => _kind == SyncKind.Double ? _real : _kind == SyncKind.Unsigned ? (ulong)_integer : _integer;

    public string? Text => _reference as string;

    public SyncObject? Object => _reference as SyncObject;

    internal static SyncValue Of(long value) => new(SyncKind.Signed, value);

    internal static SyncValue Of(ulong value) => new(SyncKind.Unsigned, (long)value);

    internal static SyncValue Of(double value) => new(SyncKind.Double, real: value);

    internal static SyncValue Of(object? reference) => new(SyncKind.None, reference: reference);
}
