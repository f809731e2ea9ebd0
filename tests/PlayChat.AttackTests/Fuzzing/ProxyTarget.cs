using System.Net;
using System.Text;

namespace PlayChat.AttackTests.Fuzzing;

/// <summary>The header of the PROXY protocol, in both versions.</summary>
internal sealed class ProxyTarget() : FuzzTarget("proxy")
{
    private const string Signature = "0D0A0D0A000D0A515549540A";

    public override IReadOnlyList<byte[]> Samples { get; } =
    [
        Convert.FromHexString(Signature + "2111000CC0000201CB0071079C401E61"),
        Convert.FromHexString(Signature + "21110010C0000201CB0071079C401E6104000100"),
        Convert.FromHexString(Signature + "2121002420010DB800000000000000000000000120010DB80000000000000000000000029C401E61"),
        Convert.FromHexString(Signature + "20000000"),
        Encoding.ASCII.GetBytes("PROXY TCP4 192.0.2.1 203.0.113.7 40000 7777\r\n"),
        Encoding.ASCII.GetBytes("PROXY TCP6 2001:db8::1 2001:db8::2 65535 1\r\n"),
        Encoding.ASCII.GetBytes("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n"),
    ];

    public override string? Check(FuzzInput input)
    {
        int header = ProxyHeaderScan.Read(input.Within(0x00).Span, out IPEndPoint? client);
        if (header > Math.Min(input.Bytes.Length, ProxyHeaderScan.MaxBytes) || (header < 0 && client is not null))
        {
            return $"a header of {header} in {input.Bytes.Length} bytes, client {client}";
        }

        Note(accepted: header > 0, refused: header < 0);
        int elsewhere = ProxyHeaderScan.Read(input.Within(0xFF).Span, out IPEndPoint? sameClient);
        if (elsewhere != header || !Equals(client, sameClient))
        {
            return $"read beyond its input: {header} and {elsewhere} bytes, {client} and {sameClient}";
        }

        // Everything is fed before, so that each step completes at once.
        Task<(EndPoint? Peer, int RestBytes)?> accepting =
            ProxyHeaderScan.AcceptAsync(input.Pieces().Where(static piece => !piece.IsEmpty));
        if (!accepting.IsCompleted)
        {
            return "waits for more than the link will ever have";
        }

#pragma warning disable VSTHRD002 // it has completed
        (EndPoint? Peer, int RestBytes)? accepted = accepting.Result;
#pragma warning restore VSTHRD002
        return accepted is null == header < 0
            && (accepted is not { } link || (Equals(link.Peer, client) && link.RestBytes == input.Bytes.Length - header))
            ? null
            : $"{header} bytes and {client} at once, {accepted} in pieces";
    }
}
