namespace PlayChat.Generators;

/// <summary>What a method takes and returns as a handler, or the sentence that says why it is none.</summary>
internal sealed class HandlerSignature
{
    private HandlerSignature()
    {
    }

    public string? Problem { get; private set; }

    public ITypeSymbol? Message { get; private set; }

    public ITypeSymbol? Member { get; private set; }

    /// <summary>What a room's method returns, to be sent as the answer.</summary>
    public ITypeSymbol? Answer { get; private set; }

    public bool TakesContext { get; private set; }

    public bool TakesToken { get; private set; }

    public HandlerResult Result { get; private set; }

    public static HandlerSignature Read(IMethodSymbol method)
    {
        var signature = new HandlerSignature { Member = method.IsStatic ? null : method.ContainingType.RoomMember() };
        signature.Problem = ProblemOfMethod(method)
            ?? (signature.Member is null ? signature.ReadResult(method) ?? signature.ReadParameters(method) : signature.ReadRoom(method))
            ?? ProblemOfMessage(signature.Message!)
            ?? (signature.Answer is { } answer ? ProblemOfAnswer(answer) : null);
        return signature;
    }

    private static string? ProblemOfMethod(IMethodSymbol method)
    {
        if (method.MethodKind is not (MethodKind.Ordinary or MethodKind.LocalFunction or MethodKind.ExplicitInterfaceImplementation))
        {
            return "it is an accessor or an operator; put [Packet] on an ordinary method";
        }

        if (method.IsGenericMethod)
        {
            return "it has type parameters, so the type of its message is unknown; name the type";
        }

        if (method is { IsAsync: true, ReturnsVoid: true })
        {
            return "it is async void, so its caller can neither await it nor see its exceptions; return ValueTask";
        }

        return method.Parameters.FirstOrDefault(static parameter => parameter.RefKind is not (RefKind.None or RefKind.In)) is { } reference
            ? $"its parameter '{reference.Name}' is passed by reference; take it by value"
            : null;
    }

    private static string? ProblemOfMessage(ITypeSymbol message)
    {
        if (message.TypeKind == TypeKind.Error)
        {
            return $"the type '{message.ToDisplayString()}' of its message is not known here; messages that another source generator makes "
                + $"belong into a project of their own";
        }

        return message.IsRefLikeType || message.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer
            ? $"'{message.ToDisplayString()}' is no message, since it cannot leave the stack; take ReadOnlySequence<byte> for raw bytes"
            : null;
    }

    private static string? ProblemOfAnswer(ITypeSymbol answer)
    {
        if (answer.IsTask())
        {
            return "a room's turn does not wait, so its handler returns void or the answer; start what takes longer from there, and post "
                + "its result to the room";
        }

        return answer.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T
            ? $"it returns '{answer.Display()}'; an answer that may be missing is a class"
            : answer.IsRefLikeType || answer.TypeKind is TypeKind.Pointer or TypeKind.FunctionPointer
            ? $"it returns '{answer.Display()}', which is no message, since it cannot leave the stack"
            : null;
    }

    private string? ReadResult(IMethodSymbol method)
    {
        HandlerResult? result = method.RefKind != RefKind.None ? null
            : method.ReturnsVoid ? HandlerResult.Nothing
            : method.ReturnType.Is(Names.ValueTask) ? HandlerResult.ValueTask
            : method.ReturnType.Is(Names.Task) ? HandlerResult.Task
            : null;
        Result = result.GetValueOrDefault();
        return result is not null
            ? null
            : $"it returns '{method.ReturnType.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat)}'; return void, ValueTask or "
                + $"Task, and answer by context.Reply(…)";
    }

    private string? ReadParameters(IMethodSymbol method)
    {
        List<IParameterSymbol> messages = ReadContext(method);
        TakesToken = messages.Count > 0 && IsToken(messages[messages.Count - 1]);
        if (TakesToken)
        {
            messages.RemoveAt(messages.Count - 1);
        }

        if (messages.Count == 1)
        {
            Message = messages[0].Type;
        }

        if (messages.Any(static parameter => IsContext(parameter) || IsToken(parameter)))
        {
            return "its parameters are out of order; take [PacketContext], the message, [CancellationToken]";
        }

        if (messages.Count == 0)
        {
            return "it takes no message; take [PacketContext], the message, [CancellationToken]";
        }

        if (messages.Count == 1)
        {
            return null;
        }

        return method.ContainingType.RoomMember() is { } member && SymbolEqualityComparer.Default.Equals(messages[0].Type, member)
            ? "it is static, so it has no room; make it a method of the room's instance"
            : $"it takes {messages.Count} messages; a handler takes one, and services come through the constructor of its class";
    }

    private string? ReadRoom(IMethodSymbol method)
    {
        if (method.RefKind != RefKind.None)
        {
            return "it returns by reference; return void or the answer";
        }

        List<IParameterSymbol> parameters = ReadContext(method);
        if (parameters.Count != 2
            || !SymbolEqualityComparer.Default.Equals(parameters[0].Type, Member)
            || IsContext(parameters[1])
            || IsToken(parameters[1]))
        {
            return "a room's handler takes [PacketContext], the member and the message: "
                + $"({Member!.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat)} member, TMessage message)";
        }

        Message = parameters[1].Type;
        Answer = method.ReturnsVoid ? null : method.ReturnType;
        return null;
    }

    /// <returns>The parameters behind the context.</returns>
    private List<IParameterSymbol> ReadContext(IMethodSymbol method)
    {
        TakesContext = !method.Parameters.IsEmpty && IsContext(method.Parameters[0]);
        return [.. method.Parameters.Skip(TakesContext ? 1 : 0)];
    }

    private static bool IsContext(IParameterSymbol parameter) => parameter.Type.Is(Names.PacketContext);

    private static bool IsToken(IParameterSymbol parameter) => parameter.Type.Is("System.Threading.CancellationToken");
}
