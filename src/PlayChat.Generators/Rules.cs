namespace PlayChat.Generators;

/// <summary>What the generator and the analyzers complain of. docs/reference/diagnostics.md explains each.</summary>
internal static class Rules
{
    public static readonly DiagnosticDescriptor DuplicateId = Error(
        "PLAYCHAT001", "One packet id, two handlers",
        "Packet id {0} is handled by '{1}' already: give '{2}' another id, or remove one of the two");

    public static readonly DiagnosticDescriptor WrongSignature = Error(
        "PLAYCHAT002", "A handler with a wrong signature", "'{0}' cannot handle packets: {1}");

    public static readonly DiagnosticDescriptor Unreachable = Error(
        "PLAYCHAT003", "A handler that is inaccessible", "No packet reaches '{0}': {1}");

    public static readonly DiagnosticDescriptor BadId = Error(
        "PLAYCHAT004", "A packet id that is no constant from 0 to 65534",
        "The packet id of '{0}' is {1}: give an integer constant from 0 to 65534, or a member of an enum with such a value");

    public static readonly DiagnosticDescriptor IdleAttribute = Warning(
        "PLAYCHAT005", "An attribute that does nothing", "[{0}] on '{1}' does nothing: {2}");

    public static readonly DiagnosticDescriptor BadArgument = Error(
        "PLAYCHAT006", "An attribute's argument that cannot work", "[{0}] on '{1}' cannot work: {2}");

    public static readonly DiagnosticDescriptor LostTask = Warning(
        "PLAYCHAT007",
        "A task that is not awaited",
        "'{0}' takes no asynchronous code here: nothing awaits this task, so its exceptions would be lost or end the process; {1}");

    public static readonly DiagnosticDescriptor UnknownMessage = Warning(
        "PLAYCHAT008",
        "A handler of a message that no packet carries",
        "No packet carries '{0}', so the server would not start: give the message a [PacketId], or add it to the PacketSet",
        WellKnownDiagnosticTags.CompilationEnd);

    public static readonly DiagnosticDescriptor NotInSet = Error(
        "PLAYCHAT009", "A set of packets that is invalid", "A set of packets cannot contain '{0}': {1}");

    public static readonly DiagnosticDescriptor DuplicateMessage = Error(
        "PLAYCHAT010", "One packet id, two messages", "Packet id {0} carries '{1}' already: give '{2}' another id");

    public static readonly DiagnosticDescriptor BlockingCall = Warning(
        "PLAYCHAT011",
        "A call that blocks in a room or a handler",
        "{0} blocks the thread in '{1}', and the room or the connection waits with it: await it in an asynchronous handler, or hand the "
            + "work to Offload.Run and post the result to the room; to wait for time in a room, use After or Every");

    public static readonly DiagnosticDescriptor NotRepeatable = Info(
        "PLAYCHAT012",
        "Code that makes a room different in each run",
        "{0} gives something else in each run, so no simulation can repeat '{1}': {2}");

    private const string Category = "PlayChat";

    private static DiagnosticDescriptor Error(string id, string title, string message) =>
        new(id, title, message, Category, DiagnosticSeverity.Error, isEnabledByDefault: true, helpLinkUri: HelpLink.Of(id));

    private static DiagnosticDescriptor Warning(string id, string title, string message, params string[] tags) => new(
        id, title, message, Category, DiagnosticSeverity.Warning, isEnabledByDefault: true, helpLinkUri: HelpLink.Of(id), customTags: tags);

    private static DiagnosticDescriptor Info(string id, string title, string message) =>
        new(id, title, message, Category, DiagnosticSeverity.Info, isEnabledByDefault: true, helpLinkUri: HelpLink.Of(id));
}
