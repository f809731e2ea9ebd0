using System.Buffers.Binary;
using System.Reflection;
using System.Reflection.Emit;

namespace PlayChat.TestUtilities.Architecture;

/// <summary>Lists the types that a method's body uses: locals, catch clauses, and the operands of its instructions.</summary>
internal static class MethodBodyUses
{
    private const int PrefixByte = 0xFE; // ECMA-335, III.1.9: the first byte of every two-byte instruction

    private static readonly Dictionary<int, OpCode> s_opCodes = typeof(OpCodes)
        .GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(static field => (OpCode)field.GetValue(null)!)
        .ToDictionary(static code => (int)(ushort)code.Value);

    /// <summary>Lists the uses, possibly with repetitions. A method without a body has none.</summary>
    public static IEnumerable<Type> Of(MethodBase method)
    {
        if (method.GetMethodBody() is not { } body)
        {
            return [];
        }

        return
        [
            .. body.LocalVariables.Select(static local => local.LocalType),
            .. body.ExceptionHandlingClauses
                .Where(static clause => clause.Flags == ExceptionHandlingClauseOptions.Clause)
                .Select(static clause => clause.CatchType!),
            .. Operands(method, body.GetILAsByteArray()!).SelectMany(UsedBy),
        ];
    }

    private static List<MemberInfo> Operands(MethodBase method, byte[] il)
    {
        Type[] typeArguments = method.DeclaringType!.GetGenericArguments();
        Type[] methodArguments = method.IsGenericMethod ? method.GetGenericArguments() : [];
        List<MemberInfo> members = [];
        int at = 0;
        while (at < il.Length)
        {
            int value = il[at++];
            OpCode code = s_opCodes[value == PrefixByte ? (value << 8) | il[at++] : value];
            ReadOnlySpan<byte> operand = il.AsSpan(at);
            if (code.OperandType is OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineTok or OperandType.InlineType)
            {
                int token = BinaryPrimitives.ReadInt32LittleEndian(operand);
                members.Add(method.Module.ResolveMember(token, typeArguments, methodArguments)!);
            }

            at += OperandBytes(code.OperandType, operand);
        }

        return members;
    }

    private static int OperandBytes(OperandType type, ReadOnlySpan<byte> operand) => type switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        // A count, then one 4-byte target for each case.
        OperandType.InlineSwitch => 4 + (4 * BinaryPrimitives.ReadInt32LittleEndian(operand)),
        _ => 4,
    };

    private static IEnumerable<Type> UsedBy(MemberInfo member) => member switch
    {
        Type type => [type],
        FieldInfo field => [field.DeclaringType!, field.FieldType],
        MethodBase method =>
        [
            .. method.DeclaringType is { } declaring ? [declaring] : Type.EmptyTypes,
            .. method is MethodInfo { ReturnType: var returned } ? [returned] : Type.EmptyTypes,
            .. method.IsGenericMethod ? method.GetGenericArguments() : [],
        ],
        _ => [],
    };
}
