using System.Runtime.CompilerServices;
using System.Text;

namespace PlayChat.Protocol;

/// <summary>Counts the marks that are drawn over and under one character. Hundreds of them would paint over the lines around.</summary>
/// <remarks>
/// Marks of one combining class are drawn further and further from the character; so is a repeated mark of class 0, as of Thai. No word
/// of a living script has more than three of those. Whole runs are longer: a Tibetan letter has up to eight marks, all in their places.
/// </remarks>
internal struct MarkRun
{
    private const int MaxMarks = 8;
    private const int MaxOfPlace = 4;
    private const int FirstMark = 0x0300; // of Unicode
    private const int SoftHyphen = 0x00AD; // the only character before it that is drawn as nothing

    private Places _places;
    private int _count;

    /// <summary>Takes the next character of a text.</summary>
    /// <returns><see langword="false"/> if it is one mark too many, which the text must not have.</returns>
    public bool TryTake(Rune rune)
    {
        if (rune.Value < FirstMark && rune.Value != SoftHyphen)
        {
            _count = 0;
            return true;
        }

        switch (UnicodeTable.KindOf(rune.Value))
        {
            case CharacterKind.Mark or CharacterKind.Virama or CharacterKind.Stacker:
                return TryTakeMark(rune.Value);

            // Drawn as nothing, so that the marks around them meet.
            case CharacterKind.Format or CharacterKind.VariationSelector or CharacterKind.Blank:
                return true;

            default:
                _count = 0;
                return true;
        }
    }

    private bool TryTakeMark(int mark)
    {
        int combiningClass = UnicodeTable.CombiningClassOf(mark);
        int place = combiningClass == 0 ? mark : combiningClass;
        Span<int> places = ((Span<int>)_places)[.._count];
        if (_count == MaxMarks || places.Count(place) == MaxOfPlace)
        {
            return false;
        }

        _places[_count++] = place;
        return true;
    }

    [InlineArray(MaxMarks)]
    private struct Places
    {
        private int _first;
    }
}
