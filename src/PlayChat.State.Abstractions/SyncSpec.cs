#pragma warning disable CS1591 // called by generated code alone

namespace PlayChat.State;

/// <summary>Describes how a field, an item or a key is written. Immutable and thread-safe.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class SyncSpec
{
    private static readonly double[] s_scales = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

    private SyncType? _type;

    internal SyncSpec(SyncKind kind) => Kind = kind;

    internal SyncKind Kind { get; }

    /// <summary>Whether an integer has 64 bits here.</summary>
    internal bool IsWide { get; private init; }

    internal int Decimals { get; init; }

    internal double Min { get; init; }

    internal double Max { get; init; }

    internal int Bits { get; init; }

    /// <summary>Of a list's items or a map's values.</summary>
    internal SyncSpec? Item { get; init; }

    /// <summary>Of a map's keys.</summary>
    internal SyncSpec? Key { get; init; }

    /// <summary>Here, the forms of a collection's items and keys: a <see cref="SyncItem{T}"/> each.</summary>
    internal (object? Item, object? Key) Forms { get; init; }

    /// <summary>Here, makes an object.</summary>
    internal Func<SyncObject>? Create { get; init; }

    /// <summary>In a received schema: which of its classes an object has.</summary>
    internal int TypeIndex { get; init; }

    /// <summary>In an assembly that is only read, finds the class of an object.</summary>
    internal Func<SyncType>? Find { get; init; }

    /// <summary>The class of an object.</summary>
    internal SyncType Type => _type ??= Find?.Invoke() ?? Create!().SyncType;

    internal bool IsCollection => Kind is SyncKind.List or SyncKind.Map;

    internal bool IsQuantized => Kind is SyncKind.Fixed or SyncKind.Range;

    public static SyncSpec Of(SyncKind kind, bool isWide = false) => new(kind) { IsWide = isWide };

    public static SyncSpec Fixed(int decimals) => new(SyncKind.Fixed) { Decimals = decimals };

    public static SyncSpec Range(double min, double max, int bits) => new(SyncKind.Range) { Min = min, Max = max, Bits = bits };

    public static SyncSpec Object(Func<SyncObject> create) => new(SyncKind.Object) { Create = create };

    public static SyncSpec List<T>(SyncItem<T> item) => new(SyncKind.List) { Item = item.Spec, Forms = (item, null) };

    public static SyncSpec Map<TKey, TValue>(SyncItem<TKey> key, SyncItem<TValue> value) =>
        new(SyncKind.Map) { Key = key.Spec, Item = value.Spec, Forms = (value, key) };

    /// <summary>Returns the steps that stand for a number, of which so many are 1. NaN becomes 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long StepsOf(double value, double scale)
    {
        const double Exact = 1L << 53; // beyond, a double has steps larger than 1
        double steps = Math.Round(value * scale);
        return steps is >= -Exact and <= Exact ? (long)steps : double.IsNaN(steps) ? 0 : (long)Math.Clamp(steps, -Exact, Exact);
    }

    /// <summary>Returns the step of a number between two bounds. NaN becomes the lowest.</summary>
    public static long StepsOf(double value, double min, double max, int bits)
    {
        long last = (1L << bits) - 1;
        double step = Math.Round((value - min) * last / (max - min));
        return step >= last ? last : step > 0 ? (long)step : 0;
    }

    /// <summary>Returns the number for which steps stand.</summary>
    internal double NumberOf(long steps) =>
        Kind == SyncKind.Fixed ? steps / s_scales[Decimals] : Min + (steps * (Max - Min) / ((1L << Bits) - 1));

    /// <summary>Whether a value that is written so can be assigned to what is declared as another one.</summary>
    internal bool Fits(SyncSpec local) => Kind switch
    {
        SyncKind.List or SyncKind.Map => local.Kind == Kind && Item!.Fits(local.Item!) && (Key is null || Key.Fits(local.Key!)),
        SyncKind.Text or SyncKind.Object => local.Kind == Kind,
        _ => local.Kind < SyncKind.Text || local.IsQuantized,
    };
}
