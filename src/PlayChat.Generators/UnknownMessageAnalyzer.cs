using System.Collections.Concurrent;
using Microsoft.CodeAnalysis.Operations;

namespace PlayChat.Generators;

/// <summary>Finds messages that are mapped to a handler, but that no packet carries: the server would refuse to start.</summary>
/// <remarks>
/// A set may be put together in another project, whose code is not seen. So a message is only told where packets are known: in an assembly
/// with [PacketId], or in this one if it adds packets to a set.
/// </remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UnknownMessageAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.UnknownMessage);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        // Generated code as well: sets may be written there.
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.Analyze);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            var project = new Project();
            start.RegisterOperationAction(project.OnCall, OperationKind.Invocation);
            start.RegisterOperationAction(project.OnCreation, OperationKind.ObjectCreation);
            start.RegisterCompilationEndAction(project.OnEnd);
        });
    }

    /// <summary>What one compilation maps, and what it adds to sets of packets.</summary>
    private sealed class Project
    {
        private readonly ConcurrentBag<(ITypeSymbol Message, Location Place)> _mapped = [];
        private readonly ConcurrentDictionary<ITypeSymbol, bool> _added = new(SymbolEqualityComparer.Default);

        public void OnCall(OperationAnalysisContext context)
        {
            var call = (IInvocationOperation)context.Operation;
            IMethodSymbol method = call.TargetMethod;
            if (method.ContainingType.Is(Names.PacketRouter))
            {
                for (int i = 0; i < method.TypeParameters.Length; i++)
                {
                    if (method.TypeParameters[i].Name is "TMessage" or "TAnswer")
                    {
                        _mapped.Add((method.TypeArguments[i], call.Syntax.GetLocation()));
                    }
                }
            }
            else if (method.ContainingType.Is(Names.PacketSet)
                || (method.IsExtensionMethod && method.Parameters.FirstOrDefault()?.Type.Is(Names.PacketSet) == true))
            {
                foreach (ITypeSymbol message in method.TypeArguments)
                {
                    _added.TryAdd(message, true);
                }
            }
        }

        public void OnCreation(OperationAnalysisContext context)
        {
            foreach (INamedTypeSymbol ancestor in (context.Operation.Type as INamedTypeSymbol)?.WithBases() ?? [])
            {
                if (ancestor.Is(Names.PacketTypeOfMessage))
                {
                    _added.TryAdd(ancestor.TypeArguments[0], true);
                }
            }
        }

        public void OnEnd(CompilationAnalysisContext context)
        {
            if (_added.Keys.Any(static message => message.TypeKind == TypeKind.TypeParameter))
            {
                return; // code for any message: it may add all of them
            }

            var knowing = new Dictionary<IAssemblySymbol, bool>(SymbolEqualityComparer.Default);
            foreach ((ITypeSymbol message, Location place) in _mapped)
            {
                if (message is INamedTypeSymbol { TypeKind: not TypeKind.Error, ContainingAssembly: { } assembly }
                    && !_added.ContainsKey(message)
                    && !message.Has(Names.PacketId)
                    && KnowsItsPackets(assembly))
                {
                    context.ReportDiagnostic(Diagnostic.Create(Rules.UnknownMessage, place, message.Display()));
                }
            }

            bool KnowsItsPackets(IAssemblySymbol assembly)
            {
                if (!knowing.TryGetValue(assembly, out bool knows))
                {
                    knows = (!_added.IsEmpty && SymbolEqualityComparer.Default.Equals(assembly, context.Compilation.Assembly))
                        || HasPacketIds(assembly.GlobalNamespace, context.CancellationToken);
                    knowing.Add(assembly, knows);
                }

                return knows;
            }
        }

        private static bool HasPacketIds(INamespaceSymbol space, CancellationToken cancellationToken)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return space.GetTypeMembers().Any(static type => type.Has(Names.PacketId))
                || space.GetNamespaceMembers().Any(inner => HasPacketIds(inner, cancellationToken));
        }
    }
}
