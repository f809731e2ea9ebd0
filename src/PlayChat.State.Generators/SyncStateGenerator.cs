namespace PlayChat.Generators;

/// <summary>Writes properties, change tracking and the wire form of classes with [SyncState], and says what is wrong with them.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class SyncStateGenerator : IIncrementalGenerator
{
    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<SyncStateModel> states = context.SyntaxProvider.ForAttributeWithMetadataName(
            SyncStateReader.State, static (_, _) => true, SyncStateReader.Read);
        context.RegisterSourceOutput(
            states.Where(static state => !state.Problems.Any()),
            static (output, state) => output.AddSource(
                $"{(state.Namespace.Length == 0 ? "" : state.Namespace + ".")}{state.Name}.Sync.g.cs", SyncStateWriter.Write(state)));
        context.RegisterSourceOutput(
            states.SelectMany(static (state, _) => state.Problems).Combine(context.CompilationProvider),
            static (output, found) => output.ReportDiagnostic(found.Left.In(found.Right)));
    }
}
