using Microsoft.CodeAnalysis.CSharp;

namespace PlayChat.Generators;

/// <summary>Reads the id in [Packet(id)] and [PacketId(id)].</summary>
internal static class PacketIdReader
{
    // 65535 is PlayChat's own heartbeat.
    private const ushort LargestId = ushort.MaxValue - 1;

    /// <summary>Reads the id of a handler's packet: that of [Packet(id)], or for [Packet] that of its message.</summary>
    public static ushort? Read(AttributeData packet, ITypeSymbol? message, out string text)
    {
        if (packet.ConstructorArguments.Length > 0 || packet.AttributeConstructor?.Parameters.Length != 0)
        {
            return Read(packet, out text);
        }

        if (message?.All(Names.PacketId).FirstOrDefault() is { } id)
        {
            return Read(id, out text);
        }

        text = "neither in [Packet] nor as [PacketId] on its message";
        return null;
    }

    /// <param name="attribute">The attribute.</param>
    /// <param name="text">What it says, for people: the name of an enum's member, or the value.</param>
    /// <returns><see langword="null"/> when it is no constant from 0 to 65534.</returns>
    public static ushort? Read(AttributeData attribute, out string text)
    {
        if (attribute.Argument() is not { Kind: TypedConstantKind.Enum or TypedConstantKind.Primitive } argument)
        {
            text = "no constant that is known here";
            return null;
        }

        string digits = Convert.ToString(argument.Value, CultureInfo.InvariantCulture) ?? "";
        bool isWhole = argument.Value is byte or sbyte or short or ushort or int or uint or long or ulong;
        if (isWhole && ushort.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out ushort id) && id <= LargestId)
        {
            text = MemberOf(argument)?.Display() ?? digits;
            return id;
        }

        text = MemberOf(argument) is { } member ? $"{member.Display()} ({digits})" : argument.ToCSharpString();
        return null;
    }

    private static IFieldSymbol? MemberOf(TypedConstant id) => id.Kind != TypedConstantKind.Enum
        ? null
        : id.Type!.GetMembers().OfType<IFieldSymbol>()
            .FirstOrDefault(field => field.HasConstantValue && field.ConstantValue.Equals(id.Value));
}
