using Google.Protobuf;

namespace PlayChat.FunctionalTests.Harness;

/// <summary>Reads protobuf messages without their classes: by field numbers.</summary>
internal static class ProtoFields
{
    /// <summary>The values of a field that has a length: texts, bytes and messages.</summary>
    /// <param name="message">The message.</param>
    /// <param name="path">Field numbers, from the outermost message on.</param>
    public static IEnumerable<byte[]> Find(byte[] message, params int[] path)
    {
        IEnumerable<byte[]> found = [message];
        foreach (int field in path)
        {
            found = found.SelectMany(part => FieldsOf(part, field)).ToArray();
        }

        return found;
    }

    /// <summary>The first text at a path; empty if there is none.</summary>
    public static string Text(byte[] message, params int[] path) =>
        Find(message, path).Select(static value => System.Text.Encoding.UTF8.GetString(value)).FirstOrDefault("");

    /// <summary>The first bytes at a path in hexadecimal digits; empty if there are none.</summary>
    public static string Hex(byte[] message, params int[] path) =>
        Find(message, path).Select(static value => Convert.ToHexString(value).ToLowerInvariant()).FirstOrDefault("");

    private static List<byte[]> FieldsOf(byte[] message, int field)
    {
        List<byte[]> values = [];
        var input = new CodedInputStream(message);
        for (uint tag = input.ReadTag(); tag != 0; tag = input.ReadTag())
        {
            if (WireFormat.GetTagFieldNumber(tag) == field && WireFormat.GetTagWireType(tag) == WireFormat.WireType.LengthDelimited)
            {
                values.Add(input.ReadBytes().ToByteArray());
            }
            else
            {
                input.SkipLastField();
            }
        }

        return values;
    }
}
