namespace PlayChat.Generators;

/// <summary>All that is written for an assembly.</summary>
/// <param name="AssemblyName">Whose handlers they are.</param>
/// <param name="IsEmpty">Whether no method has [Packet].</param>
/// <param name="Handlers">Those that can be mapped.</param>
internal sealed record Mapping(string AssemblyName, bool IsEmpty, EquatableArray<HandlerModel> Handlers)
{
    public static Mapping Of(string assemblyName, ImmutableArray<HandlerModel?> handlers) =>
        new(assemblyName, handlers.IsEmpty, new EquatableArray<HandlerModel>([.. handlers.OfType<HandlerModel>()]));
}
