using System.Reflection;

namespace PlayChat.Tool;

/// <summary>Reads attributes by their names: their types are those of the assembly that is read, not this program's.</summary>
internal static class Attributes
{
    public const string Packets = "PlayChat.Core.Packets.";
    public const string Json = "System.Text.Json.Serialization.";

    public static IEnumerable<CustomAttributeData> All(this MemberInfo member, string name) =>
        member.GetCustomAttributesData().Where(attribute => attribute.AttributeType.FullName == name);

    public static CustomAttributeData? Find(this MemberInfo member, string name) => member.All(name).FirstOrDefault();

    /// <summary>The value of a named argument.</summary>
    public static T? Named<T>(this CustomAttributeData attribute, string name) =>
        attribute.NamedArguments.FirstOrDefault(argument => argument.MemberName == name).TypedValue.Value is T value ? value : default;

    /// <summary>The value of the argument of the constructor at a position.</summary>
    public static T? Argument<T>(this CustomAttributeData attribute, int index) =>
        index < attribute.ConstructorArguments.Count && attribute.ConstructorArguments[index].Value is T value ? value : default;
}
