using System.Collections;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PlayChat.Tool.Tests;

/// <summary>Makes random values of the types that JSON knows, from a seed.</summary>
internal sealed class RandomValues(int seed)
{
    private static readonly string[] s_texts =
    [
        "", "ada", "\"\\\u0000\n", "9007199254740993", "\"12345678901234567890\":", "안녕 👋", "__proto__", "#mark#1", "{\"a\":1}", "\u2028",
    ];

    private readonly Random _random = new(seed);
    private int _depth;

    public object Make(Type type) => Make(type, canBeNull: false)!;

    private object? Make(Type type, bool canBeNull)
    {
        if (canBeNull && (_depth > 6 || _random.Next(3) == 0))
        {
            return null;
        }

        _depth++;
        try
        {
            return System.Nullable.GetUnderlyingType(type) is { } underlying
                ? Make(underlying, canBeNull: false)
                : Scalar(type) ?? Collection(type) ?? Composite(type);
        }
        finally
        {
            _depth--;
        }
    }

    private object? Scalar(Type type) => type switch
    {
        _ when type == typeof(bool) => _random.Next(2) == 0,
        _ when type == typeof(byte) => (byte)_random.Next(),
        _ when type == typeof(sbyte) => (sbyte)_random.Next(),
        _ when type == typeof(short) => (short)_random.Next(),
        _ when type == typeof(ushort) => (ushort)_random.Next(),
        _ when type == typeof(int) => Pick<int>(int.MinValue, int.MaxValue, 0, _random.Next()),
        _ when type == typeof(uint) => Pick<uint>(uint.MaxValue, 0, (uint)_random.Next()),
        _ when type == typeof(long) => Pick<long>(long.MinValue, long.MaxValue, 0, -1, 9007199254740993, _random.NextInt64()),
        _ when type == typeof(ulong) => Pick<ulong>(ulong.MaxValue, 0, 9007199254740992, (ulong)_random.NextInt64()),
        _ when type == typeof(Int128) => Pick(Int128.MaxValue, Int128.MinValue, Int128.Zero),
        _ when type == typeof(float) => Pick<float>(float.MaxValue, 0.1f, 0f, _random.NextSingle()),
        _ when type == typeof(double) =>
            Pick<double>(double.MaxValue, double.Epsilon, 1e16, 123456789012345680, 0.1, 0, _random.NextDouble()),
        _ when type == typeof(decimal) => Pick<decimal>(0, 1.5m, -123456789012.345m, 100000000000000m, _random.Next() / 100m),
        _ when type == typeof(char) => Pick('a', '"', '안', '0'),
        _ when type == typeof(string) => Pick(s_texts),
        _ when type == typeof(DateTime) => new DateTime(_random.NextInt64(DateTime.MaxValue.Ticks), DateTimeKind.Utc),
        _ when type == typeof(DateTimeOffset) =>
            new DateTimeOffset(_random.NextInt64(TimeSpan.TicksPerDay, DateTime.MaxValue.Ticks / 2), TimeSpan.FromHours(_random.Next(14))),
        _ when type == typeof(DateOnly) => DateOnly.FromDayNumber(_random.Next(DateOnly.MaxValue.DayNumber)),
        _ when type == typeof(TimeOnly) => new TimeOnly(_random.NextInt64(TimeSpan.TicksPerDay)),
        _ when type == typeof(TimeSpan) => Pick(TimeSpan.MaxValue, TimeSpan.MinValue, TimeSpan.Zero, new TimeSpan(_random.Next())),
        _ when type == typeof(Guid) => new Guid(Bytes(16)),
        _ when type == typeof(Uri) => new Uri("https://example.org/a?b=%20"),
        _ when type == typeof(byte[]) => Bytes(_random.Next(5)),
        _ when type == typeof(ReadOnlyMemory<byte>) => new ReadOnlyMemory<byte>(Bytes(_random.Next(5))),
        _ when type == typeof(JsonElement) => JsonSerializer.SerializeToElement(new { a = (int[])[1, _random.Next()], b = "c" }),
        { IsEnum: true } => Enum.GetValues(type).GetValue(_random.Next(Enum.GetValues(type).Length)),
        _ => null,
    };

    private object? Collection(Type type)
    {
        if (type == typeof(string) || !typeof(IEnumerable).IsAssignableFrom(type))
        {
            return null;
        }

        int count = _depth > 6 ? 0 : _random.Next(4);
        if (type.GetInterfaces().Append(type).FirstOrDefault(static one => one.IsGenericType
            && one.GetGenericTypeDefinition() == typeof(IReadOnlyDictionary<,>)) is { } map)
        {
            Type[] entry = map.GetGenericArguments();
            var entries = (IDictionary)Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(entry))!;
            for (int i = 0; i < count; i++)
            {
                entries[Make(entry[0], canBeNull: false)!] = Make(entry[1], CanBeNull(entry[1]));
            }

            return entries;
        }

        Type item = type.GetInterfaces().Append(type).First(static one => one.IsGenericType
            && one.GetGenericTypeDefinition() == typeof(IEnumerable<>)).GetGenericArguments()[0];
        var items = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(item))!;
        for (int i = 0; i < count; i++)
        {
            items.Add(Make(item, CanBeNull(item)));
        }

        // The serializer makes a collection of any kind from a list of the same items.
        return type.IsInstanceOfType(items) ? items : JsonSerializer.Deserialize(JsonSerializer.Serialize(items, items.GetType()), type);
    }

    // Of a value in a collection, only Nullable can be seen here.
    private static bool CanBeNull(Type type) => System.Nullable.GetUnderlyingType(type) is not null;

    private object Composite(Type type)
    {
        Type[] kinds = [.. type.GetCustomAttributes<JsonDerivedTypeAttribute>().Select(static kind => kind.DerivedType)];
        if (kinds.Length > 0)
        {
            type = Pick(kinds);
        }

        var nullability = new NullabilityInfoContext();
        ConstructorInfo constructor = type.GetConstructors().OrderBy(static one => one.GetParameters().Length).Last();
        object result = constructor.Invoke([.. constructor.GetParameters().Select(
            parameter => Make(parameter.ParameterType, nullability.Create(parameter).ReadState == NullabilityState.Nullable))]);
        if (constructor.GetParameters().Length == 0)
        {
            foreach (PropertyInfo property in type.GetProperties(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic))
            {
                if (property is { CanWrite: true, Name: not "Hidden" } && property.GetIndexParameters().Length == 0)
                {
                    bool canBeNull = nullability.Create(property).ReadState == NullabilityState.Nullable;
                    property.SetValue(result, Make(property.PropertyType, canBeNull));
                }
            }
        }

        return result;
    }

    private byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        _random.NextBytes(bytes);
        return bytes;
    }

    private T Pick<T>(params T[] values) => values[_random.Next(values.Length)];
}
