using System.Reflection;

namespace PlayChat.Protobuf.Tests;

public sealed class ArchitectureTests
{
    [Fact]
    public void The_package_references_Core_and_Protobuf_alone()
    {
        IEnumerable<string> references = typeof(ProtobufPacketSetExtensions).Assembly.GetReferencedAssemblies()
            .Select(static (AssemblyName name) => name.Name!)
            .Where(static name => !name.StartsWith("System.", StringComparison.Ordinal));

        Assert.Equal(["Google.Protobuf", "PlayChat.Core"], references.Order(StringComparer.Ordinal), StringComparer.Ordinal);
    }
}
