using PlayChat.Core.WebSockets;

namespace PlayChat.Core.Tests.WebSockets;

public sealed class WebSocketMaskTests
{
    [Fact]
    public void Bytes_are_unmasked_for_every_length_and_every_distance_that_they_move()
    {
        byte[] mask = [1, 20, 77, 254];
        byte[] masked = new byte[300];
        new Random(1).NextBytes(masked);
        for (int length = 0; length <= 150; length++)
        {
            for (int distance = 0; distance <= 70; distance++)
            {
                byte[] bytes = [.. masked];
                uint next = WebSocketMask.Apply(bytes.AsSpan(distance, length), bytes, BitConverter.ToUInt32(mask));

                byte[] expected = [.. masked.Skip(distance).Take(length).Select((b, i) => (byte)(b ^ mask[i % 4]))];
                Assert.Equal(expected, bytes[..length]);
                Assert.Equal(masked[Math.Max(length, distance + length)..], bytes[Math.Max(length, distance + length)..]);
                Assert.Equal([.. Enumerable.Range(length, 4).Select(i => mask[i % 4])], BitConverter.GetBytes(next));
            }
        }
    }
}
