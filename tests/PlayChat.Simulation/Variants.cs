namespace PlayChat.Simulation;

/// <summary>Builds the faults of a <see cref="Variant"/> into a world, except those of the room and of the client.</summary>
internal static class Variants
{
    internal static void Apply(Variant variant, World world, ReadyQueue ready, Dice dice)
    {
        switch (variant)
        {
            case Variant.RepeatedSend:
                world.Network.Filter = (_, bytes) => dice.Chance(0.001) ? [.. bytes, .. bytes] : bytes;
                break;
            case Variant.ChangedByte:
                world.Network.Filter = (_, bytes) =>
                {
                    if (bytes.Length > 0 && dice.Chance(0.001))
                    {
                        bytes[dice.Next(bytes.Length)] ^= 1;
                    }

                    return bytes;
                };
                break;
            default:
                Apply(variant, (SimulatedWorld)world, ready, dice);
                break;
        }
    }

    /// <summary>Builds in those that every world can have.</summary>
    internal static void Apply(Variant variant, SimulatedWorld world, ReadyQueue ready, Dice dice)
    {
        switch (variant)
        {
            case Variant.LostWork:
                ready.Filter = item => dice.Chance(0.001) ? null : item;
                break;
            case Variant.LostTimer:
                world.Clock.Filter = () => !dice.Chance(0.01);
                break;
            case Variant.LostCompletion:
                ready.Filter = item => item is Operation<bool> && dice.Chance(0.01) ? null : item;
                break;
            default:
                break;
        }
    }
}
