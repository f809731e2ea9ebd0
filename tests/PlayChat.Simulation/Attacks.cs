namespace PlayChat.Simulation;

/// <summary>Clients that break the rules.</summary>
internal static class Attacks
{
    /// <summary>The users of attackers have this id or a higher one.</summary>
    internal const int FirstUser = 900;

    internal static void Begin(World world, Dice dice)
    {
        if (world.Network.Connect() is not { } link)
        {
            return;
        }

        link.Ended = _ => link.ClientClose();
        switch (dice.Next(8))
        {
            case 0:
                world.Count("attacks: garbage");
                byte[] garbage = new byte[1 + dice.Next(300)];
                for (int i = 0; i < garbage.Length; i++)
                {
                    garbage[i] = (byte)dice.Next(256);
                }

                link.ClientSend(garbage);
                break;
            case 1:
                world.Count("attacks: a frame that is too long");
                link.ClientSend([0x7F, 0xFF, 0xFF, 0xFF, 0, 1, 0, 0]);
                break;
            case 2:
                world.Count("attacks: half a frame");
                link.ClientSend(Frames.Encode(WirePacket.Login, new Wire(0, FirstUser, 0, default)).AsSpan(0, 1 + dice.Next(20)));
                break;
            case 3:
                world.Count("attacks: silence");
                break;
            case 4:
                world.Count("attacks: a message before the login");
                link.ClientSend(Frames.Encode(WirePacket.Say, new Wire(1, 1, 0, default)));
                break;
            case 5:
                world.Count("attacks: a token that is none");
                link.ClientSend(Frames.Encode(WirePacket.Resume, new Wire(0, FirstUser, 0, new byte[dice.Next(70)])));
                break;
            case 6:
                world.Count("attacks: a flood that is not read");
                link.ClientReads = false;
                link.ClientSend(Frames.Encode(WirePacket.Login, new Wire(0, FirstUser + dice.Next(5), 0, default)));
                Flood(world, link, dice, left: 40);
                break;
            default:
                world.Count("attacks: a reset at once");
                link.ClientReset();
                break;
        }

        world.Clock.After(dice.Between(0, 60), () =>
        {
            if (dice.Chance(0.5))
            {
                link.ClientReset();
            }
            else
            {
                link.ClientClose();
            }
        });
    }

    private static void Flood(World world, SimulatedLink link, Dice dice, int left)
    {
        for (int i = dice.Next(50); i > 0; i--)
        {
            link.ClientSend(Frames.Encode(dice.Pick(WirePacket.Join, WirePacket.Leave, WirePacket.Say, WirePacket.Check),
                new Wire(1 + dice.Next(3), dice.Next(world.Plan.RoomNames), 0, new byte[dice.Next(world.Plan.Fill + 1)])));
        }

        if (left > 0)
        {
            world.Clock.After(dice.Between(0.01, 0.5), () => Flood(world, link, dice, left - 1));
        }
    }
}
