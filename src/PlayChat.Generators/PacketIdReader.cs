using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace PlayChat.Generators;

/// <summary>Reads the id in [Packet(id)].</summary>
internal static class PacketIdReader
{
    /// <param name="attribute">The attribute.</param>
    /// <param name="text">What it says, for people: the name of an enum's member, or the value.</param>
    /// <returns><see langword="null"/> when it is no constant from 0 to 65535.</returns>
    public static ushort? Read(AttributeData attribute, out string text)
    {
        if (attribute.Argument() is not { Kind: TypedConstantKind.Enum or TypedConstantKind.Primitive } argument)
        {
            text = "no constant that is known here";
            return null;
        }

        string digits = Convert.ToString(argument.Value, CultureInfo.InvariantCulture) ?? "";
        bool isWhole = argument.Value is byte or sbyte or short or ushort or int or uint or long or ulong;
        if (isWhole && ushort.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out ushort id))
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
