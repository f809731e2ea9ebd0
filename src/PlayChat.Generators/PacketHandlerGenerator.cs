using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PlayChat.Generators;

/// <summary>
/// Writes <c>MapPacketHandlers</c>, which maps an assembly's methods with [Packet], and sets of the messages with [PacketId], and says
/// what is wrong with them.
/// </summary>
/// <remarks>Code is written from models without locations, so that typing elsewhere in a file writes nothing anew.</remarks>
[Generator(LanguageNames.CSharp)]
public sealed class PacketHandlerGenerator : IIncrementalGenerator
{
    /// <summary>The step that reads a method.</summary>
    internal const string ReadStep = "Read";

    /// <summary>The step that hands all handlers on to be written.</summary>
    internal const string HandlersStep = "Handlers";

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<HandlerReading> readings = context.SyntaxProvider
            .ForAttributeWithMetadataName(Names.Packet, static (_, _) => true, HandlerReader.Read)
            .Where(static reading => reading is not null)
            .Select(static (reading, _) => reading!)
            .WithTrackingName(ReadStep);

        IncrementalValueProvider<Mapping> mapping = readings
            .Select(static (reading, _) => reading.Handler)
            .Collect()
            .Combine(context.CompilationProvider.Select(static (compilation, _) => compilation.AssemblyName ?? ""))
            .Select(static (read, _) => Mapping.Of(read.Right, read.Left))
            .WithTrackingName(HandlersStep);
        context.RegisterSourceOutput(mapping, static (output, mapping) =>
        {
            // Where nothing is to be mapped there is no method, so that an assembly's tests can call that of the assembly.
            if (!mapping.IsEmpty)
            {
                output.AddSource("PacketHandlers.g.cs", MappingWriter.Write(mapping));
            }
        });

        WriteSets(context);
        Report(context, readings.SelectMany(static (reading, _) => reading.Problems));
        Report(context, readings.Collect().SelectMany(static (all, _) => Duplicates.Find(
            Rules.DuplicateId,
            all.Where(static reading => reading.Handler is not null)
                .Select(static reading => (reading.Handler!.Id, reading.Place, reading.Method)))));
        Report(context, FindUnmapped(context, readings));
        foreach (string name in HandlerAttributes.All)
        {
            Report(context, context.SyntaxProvider
                .ForAttributeWithMetadataName(name, static (_, _) => true, (target, token) => AttributeCheck.Check(target, name, token))
                .SelectMany(static (problems, _) => problems));
        }
    }

    private static void WriteSets(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<MessageReading> messages = context.SyntaxProvider
            .ForAttributeWithMetadataName(Names.PacketId, static (_, _) => true, PacketSetReader.ReadMessage);
        IncrementalValuesProvider<SetReading> sets = context.SyntaxProvider
            .ForAttributeWithMetadataName(Names.JsonPackets, static (_, _) => true, PacketSetReader.ReadSet);
        // The places of messages are not written.
        IncrementalValueProvider<EquatableArray<MessageReading>> written = messages
            .Select(static (message, _) => message with { Place = Place.None, Problems = default })
            .Collect()
            .Select(static (all, _) => new EquatableArray<MessageReading>([.. all]));
        context.RegisterSourceOutput(
            sets.Where(static set => !set.Problems.Any()).Select(static (set, _) => set with { Problems = default }).Combine(written),
            static (output, found) => output.AddSource(
                $"{found.Left.Namespace}.{found.Left.Class}.Packets.g.cs".TrimStart('.'), PacketSets.Write(found.Left, found.Right)));
        Report(context, messages.SelectMany(static (message, _) => message.Problems));
        Report(context, sets.SelectMany(static (set, _) => set.Problems));
        Report(context, messages.Collect().Combine(sets.Collect())
            .SelectMany(static (found, _) => PacketSets.FindProblems(found.Left, found.Right)));
    }

    /// <summary>When no code calls the mapping, none of its handlers is reachable.</summary>
    private static IncrementalValuesProvider<Problem> FindUnmapped(
        IncrementalGeneratorInitializationContext context, IncrementalValuesProvider<HandlerReading> readings)
    {
        IncrementalValueProvider<ImmutableArray<bool>> mentions = context.SyntaxProvider
            .CreateSyntaxProvider(
                static (node, _) => node is IdentifierNameSyntax { Identifier.ValueText: Names.MapPacketHandlers },
                static (_, _) => true)
            .Collect();
        IncrementalValueProvider<bool> othersMayCall =
            context.CompilationProvider.Select(static (compilation, _) => OthersMayCall(compilation));
        return readings
            .Where(static reading => reading.Handler is not null)
            .Collect()
            .Combine(mentions.Combine(othersMayCall))
            .SelectMany(static (found, _) =>
            {
                (ImmutableArray<HandlerReading> all, (ImmutableArray<bool> mentioned, bool othersMayCall)) = found;
                return all.IsEmpty || othersMayCall || !mentioned.IsEmpty
                    ? ImmutableArray<Problem>.Empty
                    : ImmutableArray.Create(new Problem(Rules.Unreachable, all[0].Place, all[0].Method,
                        "nothing calls MapPacketHandlers; call it on the router: server.OnPackets(router => router.MapPacketHandlers())"));
            });
    }

    // The method is internal: a library may leave the call to its friends, a program has to do it itself.
    private static bool OthersMayCall(Compilation compilation) =>
        compilation.Options.OutputKind is not (OutputKind.ConsoleApplication or OutputKind.WindowsApplication)
        && compilation.Assembly.Has("System.Runtime.CompilerServices.InternalsVisibleToAttribute");

    private static void Report(IncrementalGeneratorInitializationContext context, IncrementalValuesProvider<Problem> problems) =>
        context.RegisterSourceOutput(
            problems.Combine(context.CompilationProvider),
            static (output, problem) => output.ReportDiagnostic(problem.Left.In(problem.Right)));
}
