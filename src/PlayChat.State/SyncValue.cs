using System.ComponentModel;

#pragma warning disable CS1591 // called by generated code alone

namespace PlayChat.State;

/// <summary>A number, a text or an object on its way to or from the wire.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct SyncValue
{
    private readonly long _integer;
    private readonly double _real;
    private readonly object? _reference;
    private readonly SyncKind _kind; // Signed, Unsigned, Double, or the default for a reference

    private SyncValue(SyncKind kind, long integer, double real, object? reference) =>
        (_kind, _integer, _real, _reference) = (kind, integer, real, reference);

    public bool Boolean => Int64 != 0;

    public long Int64 => _kind == SyncKind.Double ? SyncSpec.StepsOf(_real, 1) : _integer;

    public double Double => _kind == SyncKind.Double ? _real : _kind == SyncKind.Unsigned ? (ulong)_integer : _integer;

    public string? Text => _reference as string;

    public SyncObject? Object => _reference as SyncObject;

    public static SyncValue Of(long value) => new(SyncKind.Signed, value, 0, null);

    public static SyncValue Of(ulong value) => new(SyncKind.Unsigned, (long)value, 0, null);

    public static SyncValue Of(double value) => new(SyncKind.Double, 0, value, null);

    public static SyncValue Of(object? reference) => new(default, 0, 0, reference);
}
