namespace PlayChat.Benchmark.Fanout;

/// <summary>The lengths of the texts, and how often each occurs. Immutable.</summary>
internal sealed class PayloadMix
{
    /// <summary>Four of five short, one of fifty long.</summary>
    public const string Default = "64:80,256:18,1024-2048:2";

    private readonly PayloadClass[] _classes;
    private readonly double _total;

    private PayloadMix(PayloadClass[] classes, string text)
    {
        _classes = classes;
        _total = classes.Sum(static part => part.Weight);
        Text = text;
    }

    public string Text { get; }

    public IReadOnlyList<PayloadClass> Classes => _classes;

    /// <summary>Reads <c>BYTES:WEIGHT</c> or <c>MIN-MAX:WEIGHT</c>, several divided by commas.</summary>
    public static PayloadMix Parse(string text) => new([.. text.Split(',').Select(static part => ParseClass(part.Trim()))], text);

    /// <summary>Draws a size. Allocates nothing.</summary>
    public int Next(Random random)
    {
        double draw = random.NextDouble() * _total;
        int chosen = 0;
        while (chosen < _classes.Length - 1 && draw >= _classes[chosen].Weight)
        {
            draw -= _classes[chosen].Weight;
            chosen++;
        }

        PayloadClass payload = _classes[chosen];
        return random.Next(payload.MinBytes, payload.MaxBytes + 1);
    }

    private static PayloadClass ParseClass(string part)
    {
        string[] sides = part.Split(':');
        string[] sizes = sides[0].Split('-');
        if (sides.Length != 2
            || sizes.Length > 2
            || !int.TryParse(sizes[0], NumberStyles.None, CultureInfo.InvariantCulture, out int min)
            || !int.TryParse(sizes[^1], NumberStyles.None, CultureInfo.InvariantCulture, out int max)
            || !double.TryParse(sides[1], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double weight))
        {
            throw new UsageException(
                $"--mix takes BYTES:WEIGHT or MIN-MAX:WEIGHT, divided by commas, such as {Default}; '{part}' is neither.");
        }

        UsageException.Unless(
            min >= ChatText.MinBytes && max <= ChatLimits.MaxTextBytes && min <= max && weight > 0,
            $"--mix: '{part}' is invalid. Sizes are {ChatText.MinBytes} to {ChatLimits.MaxTextBytes} bytes, the smaller first; "
            + "a weight is more than 0.");
        return new PayloadClass(min, max, weight);
    }
}

/// <param name="Weight">How often, in relation to the other parts' weights.</param>
internal readonly record struct PayloadClass(int MinBytes, int MaxBytes, double Weight);
