namespace PlayChat.State.Tests;

/// <summary>Changes a state at random, the same for the same seed.</summary>
internal sealed class RandomChanges(int seed)
{
    private readonly Random _random = new(seed);

    internal void Make(Everything root, int changes)
    {
        for (; changes > 0; changes--)
        {
            Change(Pick(root));
        }
    }

    /// <summary>Takes an object anywhere in the state.</summary>
    private Everything Pick(Everything root)
    {
        Everything at = root;
        for (int depth = 0; depth < 4 && _random.Next(3) > 0; depth++)
        {
            Everything? next = _random.Next(2) == 0 ? at.Child
                : at.Nested.Count > 0 ? at.Nested.Values.ElementAt(_random.Next(at.Nested.Count)) : null;
            at = next ?? at;
        }

        return at;
    }

    private void Change(Everything at)
    {
        switch (_random.Next(22))
        {
            case 0:
                at.IsOn = !at.IsOn;
                break;
            case 1:
                at.Byte = (byte)_random.Next(256);
                break;
            case 2:
                at.Signed = _random.Next(int.MinValue, int.MaxValue);
                break;
            case 3:
                at.Unsigned = (ulong)_random.NextInt64() * 2;
                break;
            case 4:
                at.Single = _random.NextSingle();
                break;
            case 5:
                at.Double = _random.NextDouble() * 1e10;
                break;
            case 6:
                at.Text = _random.Next(3) == 0 ? "" : $"é{_random.Next(1000)}";
                break;
            case 7:
                at.Note = _random.Next(3) == 0 ? null : $"{_random.Next(10)}";
                break;
            case 8:
                at.Fixed += _random.Next(-1000, 1000) / 100.0;
                break;
            case 9:
                at.Range = _random.Next(-120, 120) + _random.NextSingle();
                break;
            case 10:
                at.Mood = _random.Next(2) == 0 ? Mood.Calm : Mood.Angry;
                break;
            case 11:
                at.Child = _random.Next(3) == 0 ? null : new Everything { Signed = _random.Next(10) };
                break;
            case 12:
                ChangeList(at.Numbers, () => _random.Next(100));
                break;
            case 13:
                ChangeList(at.Words, () => $"w{_random.Next(100)}");
                break;
            case 14 or 15:
                ChangeList(at.Team, NewPlayer);
                break;
            case 16:
                if (at.Team.Count > 0)
                {
                    Player player = at.Team[_random.Next(at.Team.Count)];
                    player.X += _random.Next(-100, 100) / 50f;
                    player.Hp++;
                }

                break;
            case 17 or 18:
                string key = $"k{_random.Next(6)}";
                if (!at.Nested.Remove(key) || _random.Next(2) == 0)
                {
                    at.Nested[key] = NewNested();
                }

                break;
            case 19:
                at.Counts[_random.Next(2) == 0 ? Mood.Calm : Mood.Angry] = _random.Next(10);
                break;
            case 20:
                at.Counts.Remove(Mood.Angry);
                break;
            default:
                at.Places[_random.Next(5)] = _random.Next(1000) / 7.0;
                break;
        }
    }

    private Player NewPlayer() => new() { Name = $"{_random.Next(10)}", X = _random.Next(100) / 8f };

    private Everything NewNested()
    {
        var value = new Everything { Text = "n", Child = _random.Next(2) == 0 ? new Everything { IsOn = true } : null };
        value.Numbers.Add(_random.Next(10));
        value.Team.Add(NewPlayer());
        return value;
    }

    private void ChangeList<T>(SyncList<T> list, Func<T> make)
        where T : notnull
    {
        switch (list.Count == 0 ? 0 : _random.Next(8))
        {
            case 0 or 1 or 2:
                list.Add(make());
                break;
            case 3:
                list.Insert(_random.Next(list.Count + 1), make());
                break;
            case 4 or 5:
                list.RemoveAt(_random.Next(list.Count));
                break;
            case 6:
                list[_random.Next(list.Count)] = make();
                break;
            default:
                if (list.Count > 6)
                {
                    list.Clear();
                }

                break;
        }
    }
}
