using System.Globalization;
using Microsoft.CodeAnalysis;

namespace PlayChat.Generators.Tests;

public sealed class DiagnosticsTests
{
    [Fact]
    public void Two_handlers_of_one_id_are_told_at_the_second()
    {
        AssertOne(
            """
            public static class A { [Packet(PacketId.Move)] public static void On(Move message) { } }
            public static class B { [{|Packet(7)|}] public static void On(Move message) { } }
            """,
            "PLAYCHAT001",
            "Packet id 7 is handled by 'A.On' already: give 'B.On' another id, or remove one of the two");
    }

    [Theory]
    [InlineData("public void {|On|}() { }", "it takes no message; take [PacketContext], the message, [CancellationToken]")]
    [InlineData("public void {|On|}(PacketContext c, CancellationToken t) { }",
        "it takes no message; take [PacketContext], the message, [CancellationToken]")]
    [InlineData("public void {|On|}(Move a, Chat b) { }",
        "it takes 2 messages; a handler takes one, and services come through the constructor of its class")]
    [InlineData("public void {|On|}(Move m, PacketContext c) { }",
        "its parameters are out of order; take [PacketContext], the message, [CancellationToken]")]
    [InlineData("public void {|On|}(CancellationToken t, Move m) { }",
        "its parameters are out of order; take [PacketContext], the message, [CancellationToken]")]
    [InlineData("public int {|On|}(Move m) => 1;", "it returns 'int'; return void, ValueTask or Task, and answer by context.Reply(…)")]
    [InlineData("public ValueTask<Move> {|On|}(Move m) => default;",
        "it returns 'ValueTask<Move>'; return void, ValueTask or Task, and answer by context.Reply(…)")]
    [InlineData("public async void {|On|}(Move m) => await Task.Yield();",
        "it is async void, so its caller can neither await it nor see its exceptions; return ValueTask")]
    [InlineData(
        "public void {|On|}<T>(T m) { }", "it has type parameters, so the type of its message is unknown; name the type", "On<T>")]
    [InlineData("public void {|On|}(ref Move m) { }", "its parameter 'm' is passed by reference; take it by value")]
    [InlineData("public void {|On|}(ReadOnlySpan<byte> m) { }",
        "'System.ReadOnlySpan<byte>' is no message, since it cannot leave the stack; take ReadOnlySequence<byte> for raw bytes")]
    [InlineData("public static PacketContext operator {|+|}(Handlers a, Handlers b) => default;",
        "it is an accessor or an operator; put [Packet] on an ordinary method", "operator +")]
    public void A_wrong_signature_is_told_with_what_to_do(string method, string sentence, string name = "On")
    {
        AssertOne(
            $"public sealed class Handlers {{ [Packet(7)] {method} }}",
            "PLAYCHAT002",
            $"'Handlers.{name}' cannot handle packets: {sentence}");
    }

    [Theory]
    [InlineData("public ValueTask {|On|}(Player member, Move m) => default;",
        "a room's turn does not wait, so its handler returns void or the answer; start what takes longer from there, and post its result "
            + "to the room")]
    [InlineData("public Task<Move> {|On|}(Player member, Move m) => Task.FromResult(m);",
        "a room's turn does not wait, so its handler returns void or the answer; start what takes longer from there, and post its result "
            + "to the room")]
    [InlineData("public ValueTask<Move> {|On|}(Player member, Move m) => default;",
        "a room's turn does not wait, so its handler returns void or the answer; start what takes longer from there, and post its result "
            + "to the room")]
    [InlineData("public int? {|On|}(Player member, Move m) => null;", "it returns 'int?'; an answer that may be missing is a class")]
    [InlineData("public ReadOnlySpan<byte> {|On|}(Player member, Move m) => default;",
        "it returns 'ReadOnlySpan<byte>', which is no message, since it cannot leave the stack")]
    [InlineData("public ref Move {|On|}(Player member, Move m) => ref new[] { m }[0];",
        "it returns by reference; return void or the answer")]
    [InlineData("public void {|On|}(PacketContext c, Move m) { }",
        "a room's handler takes [PacketContext], the member and the message: (Player member, TMessage message)")]
    [InlineData("public void {|On|}(Player member, PacketContext c, Move m) { }",
        "a room's handler takes [PacketContext], the member and the message: (Player member, TMessage message)")]
    [InlineData("public void {|On|}(Player member) { }",
        "a room's handler takes [PacketContext], the member and the message: (Player member, TMessage message)")]
    [InlineData("public void {|On|}(Player member, CancellationToken t) { }",
        "a room's handler takes [PacketContext], the member and the message: (Player member, TMessage message)")]
    [InlineData(
        "public static void {|On|}(Player member, Move m) { }", "it is static, so it has no room; make it a method of the room's instance")]
    public void A_wrong_signature_in_a_room_is_told_with_what_to_do(string method, string sentence)
    {
        AssertOne(
            $$"""
            public sealed class Player(Session session) : RoomMember(session);
            public abstract class Arena(RoomContext context) : Room<Player, Chat>(context) { [Packet(7)] {{method}} }
            """,
            "PLAYCHAT002",
            $"'Arena.On' cannot handle packets: {sentence}");
    }

    [Fact]
    public void A_message_that_is_not_known_is_told_beside_what_the_compiler_says()
    {
        AssertOne(
            "public static class Handlers { [Packet(7)] public static void {|On|}(Unknown message) { } }",
            "PLAYCHAT002",
            "'Handlers.On' cannot handle packets: the type 'Unknown' of its message is not known here; messages that another source "
                + "generator makes belong into a project of their own",
            compiles: false);
    }

    [Theory]
    [InlineData("public class Handlers { [Packet(7)] private void {|On|}(Move m) { } }", "it is private; make it internal or public")]
    [InlineData("public class Handlers { [Packet(7)] private protected void {|On|}(Move m) { } }",
        "it is private protected; make it internal or public")]
    [InlineData("public class Outer { protected class Handlers { [Packet(7)] public void {|On|}(Move m) { } } }",
        "'Outer.Handlers' is protected; make it internal or public", "Outer.Handlers.On")]
    [InlineData("file class Handlers { [Packet(7)] public void {|On|}(Move m) { } }",
        "'Handlers' is local to its file; make it internal or public")]
    [InlineData("public class Handlers<T> { [Packet(7)] public void {|On|}(Move m) { } }",
        "'Handlers<T>' has type parameters, and nothing gives their types; take a class without", "Handlers<T>.On")]
    [InlineData("public abstract class Handlers { [Packet(7)] public void {|On|}(Move m) { } }",
        "'Handlers' is abstract, so the router cannot make it; put the handler in a class that is not, or make it static")]
    [InlineData("public interface Handlers { [Packet(7)] void {|On|}(Move m); }",
        "'Handlers' is an interface; put [Packet] on the method of a class")]
    [InlineData("public struct Handlers { [Packet(7)] public void {|On|}(Move m) { } }",
        "'Handlers' is a struct, which the router does not make; make it a class, or the method static")]
    [InlineData("public interface IOn { void On(Move m); } public class Handlers : IOn { [Packet(7)] void IOn.{|On|}(Move m) { } }",
        "it implements an interface explicitly; make it a method that can be called by its name")]
    [InlineData("public class Handlers { public void A() { Local(new Move()); [Packet(7)] static void {|Local|}(Move m) { } } }",
        "it is a local function; make it a method of a class", "Local")]
    public void A_handler_out_of_reach_is_told_with_what_to_do(string code, string sentence, string name = "Handlers.On")
    {
        AssertOne(code, "PLAYCHAT003", $"No packet reaches '{name}': {sentence}");
    }

    [Theory]
    [InlineData(OutputKind.ConsoleApplication, "", true)]
    [InlineData(OutputKind.ConsoleApplication, "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Tests\")]", true)]
    [InlineData(OutputKind.DynamicallyLinkedLibrary, "", true)]
    [InlineData(OutputKind.DynamicallyLinkedLibrary, "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Tests\")]", false)]
    public void A_mapping_that_nobody_can_call_is_told_once(OutputKind kind, string attribute, bool isTold)
    {
        GeneratorRun run = GeneratorRun.Of(
            [
                "public static class A { [Packet(1)] public static void On(Move m) { } [Packet(2)] public static void Off(Move m) { } }",
                "internal static class Program { private static void Main() { } }",
                attribute,
            ],
            kind);

        string[] told = [.. run.Diagnostics.Select(static found => found.GetMessage(CultureInfo.InvariantCulture))];
        Assert.Equal(
            isTold ? ["No packet reaches 'A.On': nothing calls MapPacketHandlers; call it on the router: server.OnPackets(router => "
                + "router.MapPacketHandlers())"] : [],
            told);
    }

    [Theory]
    [InlineData("-1", "-1")]
    [InlineData("65536", "65536")]
    [InlineData("Wide.Big", "Wide.Big (70000)")]
    [InlineData("\"7\"", "\"7\"")]
    [InlineData("7.0", "7")]
    [InlineData("'a'", "'a'")]
    [InlineData("true", "true")]
    [InlineData("null!", "null")]
    [InlineData("typeof(Move)", "no constant that is known here")]
    public void An_id_that_no_packet_can_have_is_told(string id, string text)
    {
        AssertOne(
            $$"""
            public enum Wide { Big = 70_000 }
            public static class Handlers { [{|Packet({{id}})|}] public static void On(Move message) { } }
            """,
            "PLAYCHAT004",
            $"The packet id of 'Handlers.On' is {text}: "
            + "give an integer constant from 0 to 65534, or a member of an enum with such a value");
    }

    [Theory]
    [InlineData("public class A { [{|RateLimit(1)|}] public void On(Move m) { } }",
        "[RateLimit] on 'A.On' does nothing: the method has no [Packet]")]
    [InlineData("public class A { [{|RequireLogin|}] public void On(Move m) { } }",
        "[RequireLogin] on 'A.On' does nothing: the method has no [Packet]")]
    [InlineData("public class A { [Packet(1), RequireLogin, {|AllowBeforeLogin|}] public void On(Move m) { } }",
        "[AllowBeforeLogin] on 'A.On' does nothing: [RequireLogin] beside it goes first; remove one of the two")]
    [InlineData("[{|UseFilter(typeof(Audit))|}] public sealed class A { public void On(Move m) { } }",
        "[UseFilter] on 'A' does nothing: no method of the class has [Packet]")]
    [InlineData("[{|RequireLogin|}] public class A : IPacketHandler<Move> { public ValueTask HandleAsync(PacketContext c, Move m, "
        + "CancellationToken t) => default; }",
        "[RequireLogin] on 'A' does nothing: it counts for methods with [Packet]; for this class, call the method of that name on what "
            + "MapPacket returns")]
    [InlineData("[{|Scoped|}] public class A { [Packet(1)] public static void On(Move m) { } }",
        "[Scoped] on 'A' does nothing: its handlers are static, so nothing is made for a message")]
    [InlineData("public sealed class P(Session s) : RoomMember(s); [{|Scoped|}] public abstract class A(RoomContext context) : "
        + "Room<P>(context) { [Packet(1)] public void On(P p, Move m) { } }",
        "[Scoped] on 'A' does nothing: a room is not made for a message")]
    public void An_attribute_that_does_nothing_is_a_warning(string code, string message)
    {
        AssertOne(code, "PLAYCHAT005", message, DiagnosticSeverity.Warning);
    }

    [Fact]
    public void An_attribute_on_a_class_that_others_derive_from_may_count_there()
    {
        GeneratorRun run =
            GeneratorRun.Of("[RequireLogin] public class Base; public class A : Base { [Packet(1)] public void On(Move m) { } }");

        Assert.Empty(run.Diagnostics);
    }

    [Fact]
    public void A_warning_can_be_suppressed_where_it_is()
    {
        GeneratorRun run = GeneratorRun.Of("""
            public class A
            {
            #pragma warning disable PLAYCHAT005
                [RateLimit(1)] public void On(Move m) { }
            }
            """);

        Assert.True(Assert.Single(run.Diagnostics).IsSuppressed);
    }

    [Theory]
    [InlineData("RateLimit(0)", "[RateLimit] on 'A.On' cannot work: the count must be from 1 to 1000000")]
    [InlineData("RateLimit(1, PerSeconds = 0)", "[RateLimit] on 'A.On' cannot work: PerSeconds must be from 0.001 to 86400")]
    [InlineData("RateLimit(1, PerSeconds = double.NaN)", "[RateLimit] on 'A.On' cannot work: PerSeconds must be from 0.001 to 86400")]
    [InlineData(
        "UseFilter(typeof(Move))", "[UseFilter] on 'A.On' cannot work: its type is no PacketFilter; give a class that derives from it")]
    [InlineData("UseFilter(typeof(PacketFilter))",
        "[UseFilter] on 'A.On' cannot work: its type is no PacketFilter; give a class that derives from it")]
    [InlineData(
        "UseFilter(typeof(Abstract))", "[UseFilter] on 'A.On' cannot work: 'A.Abstract' is abstract; give a class that can be made")]
    [InlineData("UseFilter(typeof(Hidden))", "[UseFilter] on 'A.On' cannot work: 'A.Hidden' is private; make it internal or public")]
    [InlineData("UseFilter(typeof(Open<>))",
        "[UseFilter] on 'A.On' cannot work: 'A.Open<>' has type parameters, and nothing gives their types; take a class without")]
    public void An_argument_that_cannot_work_is_told(string attribute, string message)
    {
        AssertOne(
            $$"""
            public class A
            {
                public abstract class Abstract : PacketFilter;
                private class Hidden : PacketFilter;
                public class Open<T> : PacketFilter;
                [Packet(1), {|{{attribute}}|}] public void On(Move m) { }
            }
            """,
            "PLAYCHAT006",
            message);
    }

    /// <summary>The code has one mistake, between {| and |}, and nothing else is told, not even of the generated code.</summary>
    private static void AssertOne(
        string code, string id, string message, DiagnosticSeverity severity = DiagnosticSeverity.Error, bool compiles = true)
    {
        string marked = code[(code.IndexOf("{|", StringComparison.Ordinal) + 2)..code.IndexOf("|}", StringComparison.Ordinal)];

        GeneratorRun run = GeneratorRun.Of(
            code.Replace("{|", "", StringComparison.Ordinal).Replace("|}", "", StringComparison.Ordinal));

        Diagnostic found = Assert.Single(run.Diagnostics);
        Assert.Equal((id, message), (found.Id, found.GetMessage(CultureInfo.InvariantCulture)));
        Assert.Equal(severity, found.Severity);
        Assert.Equal(
            marked, found.Location.SourceTree?.ToString().Substring(found.Location.SourceSpan.Start, found.Location.SourceSpan.Length));
        if (compiles)
        {
            Assert.Empty(run.Warnings);
        }
    }
}
