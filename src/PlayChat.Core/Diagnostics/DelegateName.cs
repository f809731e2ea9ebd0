using System.Reflection;

namespace PlayChat.Core.Diagnostics;

/// <summary>Names the code of a delegate for a log or an error, so that its developer finds it.</summary>
internal static class DelegateName
{
    /// <summary>Returns the type and the method, such as "Lobby.OnSay", or where a lambda stands.</summary>
    internal static string Of(Delegate code)
    {
        MethodInfo method;
        try
        {
            method = code.Method;
        }
        catch (NotSupportedException)
        {
            return "code without a name"; // a native program may have no names of methods
        }

        if (!method.Name.StartsWith('<'))
        {
            return $"{method.DeclaringType?.Name}.{method.Name}";
        }

        // A lambda is a method <Enclosing>b__0 of a nested class.
        string enclosing = method.Name[1..method.Name.IndexOf('>', StringComparison.Ordinal)];
        Type? type = method.DeclaringType;
        while (type is { Name: ['<', ..], DeclaringType: { } outer })
        {
            type = outer;
        }

        return $"a lambda in {type?.Name}.{enclosing}";
    }
}
