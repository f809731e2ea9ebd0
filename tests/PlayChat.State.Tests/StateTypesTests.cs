namespace PlayChat.State.Tests;

/// <summary>The classes of a state in other languages.</summary>
public sealed class StateTypesTests
{
    [Fact]
    public void Classes_are_interfaces_in_TypeScript()
    {
        string types = StateTypes.WriteTypeScript(new Everything());

        Assert.Equal(
            """
            // Generated from the classes of the state. Do not edit.

            export interface Everything {
                readonly isOn: boolean;
                readonly byte: number;
                readonly signed: number;
                readonly unsigned: number | bigint;
                readonly single: number;
                readonly double: number;
                readonly text: string;
                readonly note: string | null;
                readonly fixed: number;
                readonly range: number;
                readonly mood: number;
                readonly child: Everything | null;
                readonly numbers: readonly number[];
                readonly words: readonly string[];
                readonly team: readonly Player[];
                readonly nested: ReadonlyMap<string, Everything>;
                readonly counts: ReadonlyMap<number, number | bigint>;
                readonly places: ReadonlyMap<number, number>;
            }

            export interface Player {
                readonly name: string | null;
                readonly x: number;
                readonly hp: number;
            }

            """.ReplaceLineEndings("\n"),
            types);
    }

    [Fact]
    public void What_is_hidden_from_some_members_can_be_null_or_empty()
    {
        string types = StateTypes.WriteTypeScript(new Seat());

        Assert.Contains("    readonly secret: string | null;\n", types, StringComparison.Ordinal);
        Assert.Contains("    readonly hand: readonly string[];\n", types, StringComparison.Ordinal);
    }
}
