using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace PlayChat.Tool;

/// <summary>
/// Reads with which messages an assembly's code calls PlayChat's generic methods, such as <c>MapPacket&lt;Say&gt;</c>: so it is known who
/// sends what. Handlers with [Packet] are there as well, in generated code. Types are named as reflection does.
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

    public void Read(string file)
    {
        using var assembly = new PEReader(File.OpenRead(file));
        MetadataReader metadata = assembly.GetMetadataReader();
        for (int row = 1; row <= metadata.GetTableRowCount(TableIndex.MethodSpec); row++)
        {
            MethodSpecification method = metadata.GetMethodSpecification(MetadataTokens.MethodSpecificationHandle(row));
            if (method.Method.Kind == HandleKind.MemberReference)
            {
                MemberReference member = metadata.GetMemberReference((MemberReferenceHandle)method.Method);
                Add(metadata.GetString(member.Name), ReadTypes(metadata, metadata.GetBlobReader(method.Signature)));
            }
        }
    }

    private void Add(string method, List<string> types)
    {
        switch (method, types.Count)
        {
            case ("MapPacket", 1):
            case ("MapScopedPacket", 2):
                Handled.Add(types[0]);
                break;
            case ("MapRoomPacket", 3):
                Handled.Add(types[2]);
                break;
            case ("MapRoomRequest", 4):
                Handled.Add(types[2]);
                Answers[types[2]] = types[3];
                break;
            case ("SendPacket" or "BroadcastPacket" or "BroadcastPacketAsync", 1):
                Sent.Add(types[0]);
                break;
            case ("RequestAsync", 1):
                ClientAnswers.Add(types[0]);
                break;
        }
    }

    /// <summary>The type arguments, up to the first one that is no plain class or struct.</summary>
    private static List<string> ReadTypes(MetadataReader metadata, BlobReader signature)
    {
        signature.ReadByte(); // says that type arguments follow
        int count = signature.ReadCompressedInteger();
        var types = new List<string>();
        while (types.Count < count && signature.ReadSignatureTypeCode() == SignatureTypeCode.TypeHandle)
        {
            types.Add(NameOf(metadata, signature.ReadTypeHandle()));
        }

        return types;
    }

    private static string NameOf(MetadataReader metadata, EntityHandle handle)
    {
        if (handle.Kind == HandleKind.TypeDefinition)
        {
            TypeDefinition type = metadata.GetTypeDefinition((TypeDefinitionHandle)handle);
            return Join(type.GetDeclaringType(), type.Namespace, type.Name);
        }

        TypeReference reference = metadata.GetTypeReference((TypeReferenceHandle)handle);
        bool isNested = reference.ResolutionScope.Kind == HandleKind.TypeReference;
        return Join(isNested ? reference.ResolutionScope : default, reference.Namespace, reference.Name);

        string Join(EntityHandle outer, StringHandle space, StringHandle name) =>
            (!outer.IsNil ? NameOf(metadata, outer) + "+" : space.IsNil ? "" : metadata.GetString(space) + ".") + metadata.GetString(name);
    }
}
