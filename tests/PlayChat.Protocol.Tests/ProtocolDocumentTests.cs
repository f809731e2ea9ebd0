using System.Buffers;
using System.Globalization;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using PlayChat.Core.Framing;
using PlayChat.TestUtilities;

namespace PlayChat.Protocol.Tests;

public sealed class ProtocolDocumentTests
{
    public static TheoryData<int> ExampleLines => new(ProtocolDocument.Examples.Select(example => example.LineNumber));

    [Theory]
    [MemberData(nameof(ExampleLines))]
    public void Bytes_of_an_example_decode_to_what_the_page_says(int lineNumber)
    {
        HexExample example = ProtocolDocument.Examples.Single(candidate => candidate.LineNumber == lineNumber);
        FrameFormat format = FormatNamed(example.Format);

        var frames = new List<string>();
        (long consumedBytes, _) = FrameScan.ReadAll(
            format, new ReadOnlySequence<byte>(example.Bytes), (in Frame frame) => frames.Add(Describe(in frame, example)));

        Assert.Equal(example.Bytes.Length, consumedBytes);
        Assert.Equal(Normalize(example), Assert.Single(frames));
    }

    [Fact]
    public void Every_framing_and_every_packet_has_an_example()
    {
        string[] framings = [.. ProtocolDocument.Examples.Select(example => example.Format).Distinct(StringComparer.Ordinal)];
        string[] packets = [.. ProtocolDocument.Examples
            .Where(example => example.Format == "packet")
            .Select(example => example.Meaning.Split(' ')[0])
            .Distinct(StringComparer.Ordinal)];

        Assert.Equivalent(
            new[] { "packet", "length4", "length4-le", "length2", "length2-le", "sender", "line", "raw" }, framings, strict: true);
        Assert.Equivalent(PacketCatalog.Entries.Select(entry => entry.Name), packets, strict: true);
    }

    [Fact]
    public void The_packet_table_has_a_row_for_every_packet_id()
    {
        IEnumerable<string> rows = ProtocolDocument.Rows("id").Select(cells => string.Join(' ', cells.Take(4)));

        IEnumerable<string> packets = PacketCatalog.Entries.Select(entry =>
            $"{entry.Id} {entry.Name} {(entry.Name.StartsWith('C') ? "client → server" : "server → client")} {entry.Message.Name}");
        Assert.Equal(packets.Order(StringComparer.Ordinal), rows.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void The_answer_of_every_request_has_its_id_plus_1000()
    {
        var idOf = PacketCatalog.Entries.ToDictionary(entry => entry.Name, entry => entry.Id, StringComparer.Ordinal);

        foreach (string[] cells in ProtocolDocument.Rows("id").Where(cells => cells[1].EndsWith("_REQ", StringComparison.Ordinal)))
        {
            Assert.Equal(idOf[cells[1]] + 1000, idOf[cells[5]]);
        }
    }

    [Theory]
    [InlineData("code", nameof(ErrorCode), "ERROR_CODE_")]
    [InlineData("reason", nameof(CloseCode), "CLOSE_CODE_")]
    public void The_tables_of_codes_hold_every_number_of_the_enum(string heading, string enumName, string prefix)
    {
        FileDescriptor file = enumName == nameof(ErrorCode) ? ErrorReflection.Descriptor : ConnectionReflection.Descriptor;
        IEnumerable<string> values = file.FindTypeByName<EnumDescriptor>(enumName).Values
            .Where(value => value.Number != 0)
            .Select(value => $"{value.Number} {value.Name[prefix.Length..]}");

        IEnumerable<string> rows = ProtocolDocument.Rows(heading).Select(cells => $"{cells[0]} {cells[1]}");

        Assert.Equal(values, rows, StringComparer.Ordinal);
    }

    [Theory]
    [InlineData("player name", ChatLimits.MaxPlayerNameChars)]
    [InlineData("password", ChatLimits.MaxPasswordBytes)]
    [InlineData("client version", ChatLimits.MaxClientVersionChars)]
    [InlineData("room name", ChatLimits.MaxRoomNameChars)]
    [InlineData("chat text", ChatLimits.MaxTextBytes)]
    [InlineData("rooms in one page of a list", ChatLimits.MaxRoomsPerPage)]
    [InlineData("messages in one page of a history", ChatLimits.MaxHistoryMessages)]
    [InlineData("members of a room", ChatLimits.MaxRoomMembers)]
    [InlineData("frame from a client: the value of the length field", ChatLimits.DefaultMaxClientFrameBytes)]
    [InlineData("frame from a server", ChatLimits.MaxServerFrameBytes)]
    public void The_table_of_limits_says_what_the_constants_say(string what, int limit)
    {
        string[] row = ProtocolDocument.Rows("what").Single(cells => cells[0] == what);

        string[] words = row[1].Split([' ', '–', ','], StringSplitOptions.RemoveEmptyEntries);
        Assert.Contains(limit.ToString(CultureInfo.InvariantCulture), words, StringComparer.Ordinal);
    }

    private static FrameFormat FormatNamed(string name) => name switch
    {
        "packet" => FrameFormat.Packet(),
        "length4" => FrameFormat.LengthPrefixed(),
        "length4-le" => FrameFormat.LengthPrefixed(littleEndian: true),
        "length2" => FrameFormat.LengthPrefixed(prefixBytes: 2),
        "length2-le" => FrameFormat.LengthPrefixed(prefixBytes: 2, littleEndian: true),
        "sender" => FrameFormat.SenderPrefixed(),
        "line" => FrameFormat.Line(),
        "raw" => FrameFormat.Raw(),
        _ => throw new ArgumentException($"The page shows a framing '{name}' that the library does not have.", nameof(name)),
    };

    private static string Describe(in Frame frame, HexExample example)
    {
        if (example.Format == "packet")
        {
            ushort packetId = frame.Header.PacketId;
            CatalogEntry packet = PacketCatalog.Entries.Single(entry => entry.Id == packetId);
            return $"{packet.Name} request {frame.Header.RequestId} {packet.Decode(frame.Body)}";
        }

        string sender = example.Format == "sender" ? $"sender {frame.Header.SenderId} " : string.Empty;
        string body = string.Join(' ', frame.ToArray().Select(static value => value.ToString("x2", CultureInfo.InvariantCulture)));
        return $"{sender}body {body}".TrimEnd();
    }

    /// <summary>The page's JSON as the messages print themselves, so that spacing and the order of fields do not matter.</summary>
    private static string Normalize(HexExample example)
    {
        if (example.Format != "packet")
        {
            return example.Meaning;
        }

        int jsonStart = example.Meaning.IndexOf('{', StringComparison.Ordinal);
        CatalogEntry packet = PacketCatalog.Entries.Single(entry => example.Meaning.StartsWith(entry.Name + " ", StringComparison.Ordinal));
        IMessage message = JsonParser.Default.Parse(example.Meaning[jsonStart..], packet.Message);
        return example.Meaning[..jsonStart] + message;
    }
}
