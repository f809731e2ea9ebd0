using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace PlayChat.Protobuf.Tests;

/// <summary>Messages of any kind with every field set.</summary>
internal static class RandomMessage
{
    public static IMessage Create(MessageDescriptor descriptor, Random random)
    {
        IMessage message = descriptor.Parser.ParseFrom([]);
        foreach (FieldDescriptor field in descriptor.Fields.InFieldNumberOrder())
        {
            if (field.IsMap)
            {
                var map = (System.Collections.IDictionary)field.Accessor.GetValue(message);
                map.Add(Value(field.MessageType.Fields[1], random), Value(field.MessageType.Fields[2], random));
            }
            else if (field.IsRepeated)
            {
                var list = (System.Collections.IList)field.Accessor.GetValue(message);
                list.Add(Value(field, random));
                list.Add(Value(field, random));
            }
            else
            {
                field.Accessor.SetValue(message, Value(field, random));
            }
        }

        return message;
    }

    private static object Value(FieldDescriptor field, Random random) => field.FieldType switch
    {
        FieldType.Int64 => random.NextInt64(long.MinValue, long.MaxValue),
        FieldType.UInt64 => (ulong)random.NextInt64(),
        FieldType.UInt32 => (uint)random.Next(),
        FieldType.Bool => true,
        FieldType.Enum => random.Next(1, 19),
        FieldType.String => string.Concat(Enumerable.Repeat("안녕 👋 hello ", random.Next(1, 4))),
        FieldType.Bytes => ByteString.CopyFrom(RandomBytes(random)),
        FieldType.Message => Create(field.MessageType, random),
        _ => throw new NotSupportedException($"{field.FullName} has a type that this generator does not make."),
    };

    private static byte[] RandomBytes(Random random)
    {
        byte[] bytes = new byte[random.Next(1, 40)];
        random.NextBytes(bytes);
        return bytes;
    }
}
