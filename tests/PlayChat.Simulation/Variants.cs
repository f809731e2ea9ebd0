namespace PlayChat.Simulation;

/// <summary>Builds the faults of a <see cref="Variant"/> into a world, except those of the room and of the client.</summary>
internal static class Variants
{
    internal static void Apply(Variant variant, SimulatedClock clock, SimulatedNetwork? network, ReadyQueue ready, Dice dice)
    {
        switch (variant)
        {
            case Variant.LostWork:
                ready.Filter = item => dice.Chance(0.001) ? null : item;
                break;
            case Variant.LostTimer:
                clock.Filter = () => !dice.Chance(0.01);
                break;
            case Variant.LostCompletion:
                ready.Filter = item => item is Operation<bool> && dice.Chance(0.01) ? null : item;
                break;
            case Variant.RepeatedSend when network is not null:
                network.Filter = (_, bytes) => dice.Chance(0.001) ? [.. bytes, .. bytes] : bytes;
                break;
            case Variant.ChangedByte when network is not null:
                network.Filter = (_, bytes) =>
                {
                    if (bytes.Length > 0 && dice.Chance(0.001))
                    {
                        bytes[dice.Next(bytes.Length)] ^= 1;
                    }

                    return bytes;
                };
                break;
            default:
                break;
        }
    }
}
