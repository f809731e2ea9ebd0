using System.Text;

namespace PlayChat.Client.Tests;

/// <summary>A pipe whose reader has gone.</summary>
internal sealed class BrokenWriter : TextWriter
{
    public override Encoding Encoding => Encoding.UTF8;

    public override void Write(char value) => throw new IOException("Broken pipe");
}
