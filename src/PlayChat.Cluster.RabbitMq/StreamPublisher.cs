using RabbitMQ.Client.Events;

namespace PlayChat.Cluster.RabbitMq;

/// <summary>Writes to one stream through one channel, one message after the other, and tells which ones the broker has confirmed.</summary>
/// <remarks>One loop publishes; the confirmations come on the connection's thread.</remarks>
internal sealed class StreamPublisher
{
    private readonly IChannel _channel;
    private readonly string _stream;
    private readonly Action<long, int> _onConfirmed;
    private readonly Action<string> _onBroken;
    private readonly Dictionary<ulong, long> _unconfirmed = []; // by delivery tag; guarded by itself
    private ulong _oldest = 1; // no tag below it is unconfirmed
    private ulong _last;
    private bool _isBroken;

    /// <param name="channel">A new channel with confirmations, which it does not track itself.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="onConfirmed">Called with the number of a message and how many were unconfirmed with it.</param>
    /// <param name="onBroken">Called when the broker refuses a message; nothing is confirmed after it.</param>
    public StreamPublisher(IChannel channel, string stream, Action<long, int> onConfirmed, Action<string> onBroken)
    {
        _channel = channel;
        _stream = stream;
        _onConfirmed = onConfirmed;
        _onBroken = onBroken;
        channel.BasicAcksAsync += OnAckAsync;
        channel.BasicNacksAsync += (_, _) => OnRefusedAsync("it did not store a batch");
        channel.BasicReturnAsync += (_, returned) => OnRefusedAsync(returned.ReplyText);
    }

    /// <param name="number">The number that the confirmation names. Several messages may share one.</param>
    /// <param name="bytes">The content. Keep it unchanged until the message is confirmed or the connection has ended.</param>
    /// <param name="properties">The message's properties.</param>
    /// <param name="cancellationToken">Ends the connection's use.</param>
    public ValueTask PublishAsync(long number, ReadOnlyMemory<byte> bytes, BasicProperties properties, CancellationToken cancellationToken)
    {
        lock (_unconfirmed)
        {
            // The broker counts the messages of a channel in the same way.
            _unconfirmed.Add(++_last, number);
        }

        return _channel.BasicPublishAsync("", _stream, mandatory: true, properties, bytes, cancellationToken);
    }

    private Task OnAckAsync(object sender, BasicAckEventArgs ack)
    {
        lock (_unconfirmed)
        {
            if (_isBroken)
            {
                return Task.CompletedTask; // a message that was returned is confirmed, too
            }

            int before = _unconfirmed.Count;
            for (ulong tag = ack.Multiple ? _oldest : ack.DeliveryTag; tag <= ack.DeliveryTag; tag++)
            {
                if (_unconfirmed.Remove(tag, out long number))
                {
                    _onConfirmed(number, before);
                }
            }

            while (_oldest <= _last && !_unconfirmed.ContainsKey(_oldest))
            {
                _oldest++;
            }
        }

        return Task.CompletedTask;
    }

    private Task OnRefusedAsync(string reason)
    {
        lock (_unconfirmed)
        {
            _isBroken = true;
        }

        _onBroken(reason);
        return Task.CompletedTask;
    }
}
