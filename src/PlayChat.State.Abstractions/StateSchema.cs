namespace PlayChat.State;

/// <summary>The classes of a state as a snapshot describes them: proto/STATE.md, "Schema".</summary>
internal static class StateSchema
{
    private const int MaxTypes = 256;
    private const int MaxNameBytes = 256;
    private const int MaxFields = 63;

    /// <param name="root">The class of the root.</param>
    /// <param name="isExact">Whether quantized numbers are written with all digits.</param>
    internal static byte[] Write(SyncType root, bool isExact)
    {
        var writer = new StateWriter();
        List<SyncType> types = root.WithNested();
        writer.WriteUnsigned((uint)types.Count);
        foreach (SyncType type in types)
        {
            writer.WriteText(type.Name);
            writer.WriteUnsigned((uint)type.Fields.Length);
            foreach (SyncField field in type.Fields)
            {
                writer.WriteUnsigned((uint)field.Number);
                writer.WriteText(field.WireName);
                Write(writer, field.Spec, types, isExact);
            }
        }

        return writer.Written.ToArray();
    }

    /// <summary>Reads a schema; the reader has failed if it is none.</summary>
    internal static SyncType[] Read(ref StateReader reader)
    {
        var types = new SyncType[reader.ReadBelow(MaxTypes + 1)];
        reader.Require(types.Length > 0);
        for (int t = 0; t < types.Length && !reader.HasFailed; t++)
        {
            string name = reader.ReadText(MaxNameBytes) ?? "";
            var fields = new SyncField[reader.ReadBelow(MaxFields + 1)];
            for (int f = 0; f < fields.Length && !reader.HasFailed; f++)
            {
                int number = reader.ReadBelow(ushort.MaxValue + 1);
                reader.Require(number > (f == 0 ? 0 : fields[f - 1].Number));
                string field = reader.ReadText(MaxNameBytes) ?? "";
                fields[f] = new SyncField(number, field, ReadSpec(ref reader, types.Length, isItem: false));
            }

            types[t] = reader.HasFailed ? new SyncType(name) : new SyncType(name, fields);
        }

        return types;
    }

    private static void Write(StateWriter writer, SyncSpec spec, List<SyncType> types, bool isExact)
    {
        SyncKind kind = isExact && spec.IsQuantized ? SyncKind.Double : spec.Kind;
        writer.WriteByte((byte)kind);
        switch (kind)
        {
            case SyncKind.Fixed:
                writer.WriteByte((byte)spec.Decimals);
                break;
            case SyncKind.Range:
                writer.WriteDouble(spec.Min);
                writer.WriteDouble(spec.Max);
                writer.WriteByte((byte)spec.Bits);
                break;
            case SyncKind.Object:
                writer.WriteUnsigned((uint)types.IndexOf(spec.Type));
                break;
            case SyncKind.Map:
                Write(writer, spec.Key!, types, isExact);
                goto case SyncKind.List;
            case SyncKind.List:
                Write(writer, spec.Item!, types, isExact);
                break;
        }
    }

    private static SyncSpec ReadSpec(ref StateReader reader, int types, bool isItem)
    {
        var kind = (SyncKind)reader.ReadByte();
        switch (kind)
        {
            case >= SyncKind.Boolean and <= SyncKind.Text:
                return SyncSpec.Of(kind);
            case SyncKind.Fixed:
                return SyncSpec.Fixed(reader.ReadBelow(10));
            case SyncKind.Range:
                (double min, double max, int bits) = (reader.ReadDouble(), reader.ReadDouble(), reader.ReadBelow(33));
                reader.Require(bits > 0);
                return SyncSpec.Range(min, max, Math.Max(1, bits));
            case SyncKind.Object:
                return new SyncSpec(kind) { TypeIndex = reader.ReadBelow(types) };
            case SyncKind.List when !isItem:
                return new SyncSpec(kind) { Item = ReadSpec(ref reader, types, isItem: true) };
            case SyncKind.Map when !isItem:
                SyncSpec key = ReadSpec(ref reader, types, isItem: true);
                reader.Require(key.Kind is SyncKind.Byte or SyncKind.Unsigned or SyncKind.Signed or SyncKind.Text);
                return new SyncSpec(kind) { Key = key, Item = ReadSpec(ref reader, types, isItem: true) };
            default:
                reader.Require(false);
                return SyncSpec.Of(SyncKind.Byte);
        }
    }
}
