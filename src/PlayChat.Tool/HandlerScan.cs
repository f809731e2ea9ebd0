using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace PlayChat.Tool;

/// <summary>
/// Reads with which messages an assembly's code calls PlayChat's generic methods, such as <c>MapPacket&lt;Say&gt;</c>: so it is known who
/// sends what. Handlers with [Packet] are there as well, in generated code.
/// </summary>
internal sealed class HandlerScan
{
    /// <summary>Messages that the server handles.</summary>
    public HashSet<string> Handled { get; } = new(StringComparer.Ordinal);

    /// <summary>Messages that the server sends other than as answers.</summary>
    public HashSet<string> Sent { get; } = new(StringComparer.Ordinal);

    /// <summary>Messages with which clients answer the server's requests.</summary>
    public HashSet<string> ClientAnswers { get; } = new(StringComparer.Ordinal);

    /// <summary>Answers by request, of methods of a room that return them.</summary>
    public Dictionary<string, string> Answers { get; } = new(StringComparer.Ordinal);

    public void Read(byte[] assembly)
    {
        using var file = new PEReader(ImmutableArray.Create(assembly));
        MetadataReader metadata = file.GetMetadataReader();
        for (int row = 1; row <= metadata.GetTableRowCount(TableIndex.MethodSpec); row++)
        {
            MethodSpecification method = metadata.GetMethodSpecification(MetadataTokens.MethodSpecificationHandle(row));
            string name = method.Method.Kind == HandleKind.MemberReference
                ? metadata.GetString(metadata.GetMemberReference((MemberReferenceHandle)method.Method).Name)
                : "";
            Add(name, method.DecodeSignature(TypeNames.Instance, null));
        }
    }

    private void Add(string method, ImmutableArray<string> types)
    {
        switch (method)
        {
            case "MapPacket":
            case "MapScopedPacket":
                Handled.Add(types[0]);
                break;
            case "MapRoomPacket" when types.Length > 2:
                Handled.Add(types[2]);
                break;
            case "MapRoomRequest" when types.Length > 3:
                Handled.Add(types[2]);
                Answers[types[2]] = types[3];
                break;
            case "SendPacket":
            case "BroadcastPacket":
            case "BroadcastPacketAsync":
                Sent.Add(types[0]);
                break;
            case "RequestAsync" when types.Length == 1:
                ClientAnswers.Add(types[0]);
                break;
        }
    }

    /// <summary>Names types as reflection does; what cannot be a message has no name.</summary>
    private sealed class TypeNames : ISignatureTypeProvider<string, object?>
    {
        public static readonly TypeNames Instance = new();

        public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind)
        {
            TypeDefinition type = reader.GetTypeDefinition(handle);
            TypeDefinitionHandle outer = type.GetDeclaringType();
            return (outer.IsNil ? Prefix(reader, type.Namespace) : GetTypeFromDefinition(reader, outer, 0) + "+") + reader.GetString(type.Name);
        }

        public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind)
        {
            TypeReference type = reader.GetTypeReference(handle);
            return (type.ResolutionScope.Kind == HandleKind.TypeReference
                ? GetTypeFromReference(reader, (TypeReferenceHandle)type.ResolutionScope, 0) + "+"
                : Prefix(reader, type.Namespace)) + reader.GetString(type.Name);
        }

        public string GetArrayType(string elementType, ArrayShape shape) => "";

        public string GetByReferenceType(string elementType) => "";

        public string GetFunctionPointerType(MethodSignature<string> signature) => "";

        public string GetGenericInstantiation(string genericType, ImmutableArray<string> typeArguments) => "";

        public string GetGenericMethodParameter(object? genericContext, int index) => "";

        public string GetGenericTypeParameter(object? genericContext, int index) => "";

        public string GetModifiedType(string modifier, string unmodifiedType, bool isRequired) => unmodifiedType;

        public string GetPinnedType(string elementType) => "";

        public string GetPointerType(string elementType) => "";

        public string GetPrimitiveType(PrimitiveTypeCode typeCode) => "";

        public string GetSZArrayType(string elementType) => "";

        public string GetTypeFromSpecification(MetadataReader reader, object? context, TypeSpecificationHandle handle, byte rawTypeKind) => "";

        private static string Prefix(MetadataReader reader, StringHandle name) => name.IsNil ? "" : reader.GetString(name) + ".";
    }
}
