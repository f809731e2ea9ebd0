using Microsoft.CodeAnalysis;

namespace PlayChat.Generators;

/// <summary>What the generator and the analyzer complain of. README.md explains each.</summary>
internal static class Rules
{
    public static readonly DiagnosticDescriptor DuplicateId = Error(
        "PLAYCHAT001", "One packet id, two handlers",
        "Packet id {0} is handled by '{1}' already: give '{2}' another id, or remove one of the two");

    public static readonly DiagnosticDescriptor WrongSignature = Error(
        "PLAYCHAT002", "A handler with a wrong signature", "'{0}' cannot handle packets: {1}");

    public static readonly DiagnosticDescriptor Unreachable = Error(
        "PLAYCHAT003", "A handler that nobody can reach", "Nobody can reach '{0}': {1}");

    public static readonly DiagnosticDescriptor BadId = Error(
        "PLAYCHAT004", "A packet id that is no constant from 0 to 65535",
        "The packet id of '{0}' is {1}: give an integer constant from 0 to 65535, or a member of an enum with such a value");

    public static readonly DiagnosticDescriptor IdleAttribute = new DiagnosticDescriptor(
        "PLAYCHAT005", "An attribute that does nothing", "[{0}] on '{1}' does nothing: {2}",
        Category, DiagnosticSeverity.Warning, isEnabledByDefault: true);

    public static readonly DiagnosticDescriptor BadArgument = Error(
        "PLAYCHAT006", "An attribute's argument that cannot work", "[{0}] on '{1}' cannot work: {2}");

    public static readonly DiagnosticDescriptor LostTask = new DiagnosticDescriptor(
        "PLAYCHAT007",
        "A task that nobody waits for",
        "'{0}' takes no asynchronous code here: nobody would wait for this task, and its exceptions would be lost or end the process; "
            + "map a handler as async lambda that returns a ValueTask, and start what takes long in a room from its job, posting the "
            + "result to the room",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true);

    private const string Category = "PlayChat";

    private static DiagnosticDescriptor Error(string id, string title, string message) =>
        new(id, title, message, Category, DiagnosticSeverity.Error, isEnabledByDefault: true);
}
